export const newZoneTexts = {
  title: "New zone",
  kinds: {
    primary: ["Made here", "A new zone whose records you write here."],
    file: ["From a file", "A zone file of another name server or provider (BIND format)."],
    transfer: [
      "By one transfer",
      "Another name server has the zone; it is copied once, and changed here from then on.",
    ],
    secondary: ["From another server", "Another name server has the zone; this service follows it."],
    linked: ["Like another zone", "It answers as another zone of yours does, under its own name."],
  },
  kindsLabel: "Where the zone comes from",
  name: "Name of the zone",
  nameHint: "A domain, such as example.com",
  create: "Create the zone",
  more: "More settings",
  less: "Fewer settings",
  networks: "Networks",
  hostmaster: "Mail address of the administrator",
  tags: "Tags",
  target: "Zone to answer like",
  targetHint: "A zone of yours. Whatever is changed there is answered here too.",
  file: "Zone file",
  fileHint: "Drop it here, or choose it.",
  fileChoose: "Choose a file",
  fileChosen: (name: string, size: string) => `${name}, ${size}`,
  fileOther: "Choose another",
  nameFromFile: "The name was found in the file.",
  lineAt: (line: number) => `Line ${line}`,
  done: (zone: string) => `The zone ${zone} is there.`,
  doneWarnings: (count: number) => (count === 1 ? "1 thing to know:" : `${count} things to know:`),
  openZone: "Open the zone",
  moreErrors: (count: number) => `and ${count} more`,
  taken: "The name is taken. If it is your domain and another account has it, prove it:",
  claim: "Show the proof",
  claimHint: "Publish this record where the domain is served now, then claim the name.",
  claimAct: "Claim the name",
  claimed: "The name is yours now. Create the zone.",
} as const;

export const providerTexts = {
  how: "How do I get the file from my provider?",
  provider: "Provider or name server that has the zone now",
  about: {
    "Azure DNS": "The Azure command line writes the file. GROUP is the resource group.",
    BIND: "Use the file of the zone itself. If it is not text, as on most secondaries, this makes a text of it:",
    Cloudflare: "In the dashboard: DNS, Records, Import and Export, Export.",
    "Google Cloud DNS": "The Google Cloud command line writes the file. --zone is the name of the managed zone.",
    PowerDNS: "On the machine of the name server:",
    "Route 53":
      "The AWS command line lists the records, and jq makes a file of them. ID is that of the hosted zone. Alias records are left out: they have no values.",
  },
  others: "Others: look for an export in BIND format. Where the provider allows zone transfers, no file is needed.",
} as const;

export interface ImportTexts {
  readonly act: string;
  readonly partial: string;
  readonly partialHint: string;
  readonly sending: string;
  readonly running: (status: string, percent: number) => string;
  readonly wrong: string;
  readonly others: string;
}

export const importTexts: { readonly [way in "file" | "transfer"]: ImportTexts } = {
  file: {
    act: "Import the file",
    partial: "Leave out lines that are wrong",
    partialHint: "Otherwise a file with a wrong line changes nothing.",
    sending: "The file is being sent.",
    running: (status, percent) =>
      status === "waiting" ? "The file waits for its turn." : `The file is being imported: ${percent} %`,
    wrong: "Nothing was imported. These lines are wrong:",
    others: "Import the other lines",
  },
  transfer: {
    act: "Copy the zone",
    partial: "Leave out records that are wrong",
    partialHint: "Otherwise a wrong record stops the whole import.",
    sending: "The transfer is being started.",
    running: (status, percent) => (percent === 0 ? status : `The records are being imported: ${percent} %`),
    wrong: "Nothing was imported. These records are wrong; a line is a record, in the order of the transfer:",
    others: "Import the other records",
  },
};
