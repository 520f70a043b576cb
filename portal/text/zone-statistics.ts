export const statisticsTexts = {
  queries: "Queries per second",
  now: (rate: string) => `${rate} queries per second now`,
  total: (count: string) => `${count} queries in this period`,
  none: "Nobody asked for a name of this zone in this period.",
  noneHint: "If the zone is new, its parent may not name its servers yet: see the delegation under Settings.",
  records: "Records by queries",
  name: "Name",
  type: "Type",
  count: "Queries",
  share: "Share",
  missingOfDay: "Names that do not exist, in the last day",
  missingOfMonth: "Names that do not exist, in the last month",
  tail: "Queries as they come",
  watch: "Watch",
  pause: "Pause",
  tailHint: "Some of the queries as they come, for as long as you watch.",
  tailWaits: "Waiting for a query.",
  tailFilter: "Filter",
  tailHeads: ["Time", "Name", "Type", "RCODE", "Transport", "Client"],
  noReply: "no reply",
  estimated:
    "Queries for names without a record are counted for the zone, but are not in this list. Counts of quiet records may be estimates.",
} as const;

export const zoneActivityTexts = {
  label: "Activity of the zone",
  about: "Who changed what. Changes of records are also under Versions, where they can be taken back.",
  none: "The log has no entry about this zone.",
  all: "Filter and export",
} as const;

export const lintTexts = {
  label: "Probable mistakes",
  about: "The service accepts these records, but they are probably mistakes.",
  record: "Record",
  what: "What is probably wrong",
  field: "Where",
  none: "Nothing looks like a mistake.",
  noneText: (count: number) => `${count === 1 ? "1 record was" : `${count} records were`} looked at.`,
  incomplete: "The zone is too large to look at all of its records.",
} as const;
