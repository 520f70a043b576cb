/**
 * Writes the files of this version into `test/formats/N`; all later versions must read them. `node test/formats/write.ts N`
 * is run once, with the change that introduces format N; the files never change afterwards.
 */
import { cpSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { ask } from "../engine/states.ts";
import { output } from "../machine/processes.ts";
import { type Service, service, tree } from "../service/kit.ts";

/** The oldest supported version, so that every server can load the dump. */
const programs = "/usr/lib/postgresql/15/bin";

const answers: Readonly<Record<string, string>> = {
  "www.formats.example A": "NOERROR 192.0.2.1",
  "any.wild.formats.example A": "NOERROR 192.0.2.2",
  "text.formats.example TXT": "NOERROR a text",
  "steered.formats.example A": "NOERROR 192.0.2.12",
  "linked.formats.example A": "NOERROR 192.0.2.1",
  "www.linked.example A": "NOERROR 192.0.2.1",
  "www.imported.example A": "NOERROR 192.0.2.3",
  "large.formats.example A": "NOERROR 192.0.2.4",
  "gone.formats.example A": "NXDOMAIN",
  "www.gone.example A": "REFUSED",
};
const tsig = { name: "key.formats", secret: Buffer.from("a key of these files alone").toString("base64") };

async function fill(ours: Service): Promise<void> {
  const zone = "formats.example";
  await ours.must("PUT", `tsig/${tsig.name}`, { algorithm: "hmac-sha256", secret: tsig.secret });
  const secondaries = [{ ip: "127.0.0.1", tsig_key: tsig.name }];
  await ours.zone(zone, { primary: { enabled: true, secondaries } });
  const { id: source } = await ours.must("PUT", "data/sources", { name: "source", sourcetype: "nsone_v1" });
  const { id: feed } = await ours.must("PUT", `data/feeds/${source}`, { name: "feed", config: { label: "first" } });
  const put = (domain: string, type: string, body: object) =>
    ours.must("PUT", `zones/${zone}/${domain}.${zone}/${type}`, body);
  const address = (last: number, meta: object = {}) => ({ answer: [`192.0.2.${last}`], meta });
  await put("www", "A", { answers: [address(1)] });
  await put("*.wild", "A", { answers: [address(2)] });
  await put("text", "TXT", { answers: [{ answer: ["a text"] }] });
  await put("steered", "A", {
    answers: [
      { ...address(11, { up: { feed } }), region: "first" },
      { ...address(12, { up: true }), region: "second" },
    ],
    regions: { first: { meta: { priority: 1 } }, second: { meta: { priority: 2 } } },
    filters: [{ filter: "up" }, { filter: "priority" }, { filter: "select_first_n", config: { N: 1 } }],
  });
  await put("linked", "A", { link: `www.${zone}` });
  await ours.must("POST", `feed/${source}`, { first: { up: false } });
  await ours.zone("linked.example", { link: zone });
  await upload(ours, "imported.example", "$TTL 300\n@ SOA ns.example. host.example. 1 2 3 4 5\nwww A 192.0.2.3\n");
  await ours.must("PUT", `zones/${zone}/versions`, { name: "saved" });
  await put("gone", "A", { answers: [address(5)] });
  await ours.remove(zone, `gone.${zone} A`);
  await ours.zone("gone.example");
  await ours.must("DELETE", "zones/gone.example");
  await ours.must("PUT", "account/teams", { name: "team", permissions: { dns: { view_zones: true } } });
  // one change of more than 256 KB, which is a load: the text is packed well
  const texts = Array.from({ length: 8 }, (_, n) => ({ answer: Array.from({ length: 25 }, () => `${n}`.repeat(250)) }));
  const records = Array.from({ length: 6 }, (_, n) => ({ domain: `large${n}.${zone}`, type: "TXT", answers: texts }));
  const small = { domain: `large.${zone}`, type: "A", answers: [address(4)] };
  await ours.must("PUT", "changesets", {
    records: [...records, small].map((record) => ({ action: "put", zone, ...record })),
  });
}

async function upload({ url, key }: Service, zone: string, file: string): Promise<void> {
  const reply = await fetch(`${url}/v1/import/zonefile/${zone}`, {
    ...{ method: "PUT", headers: { "X-SERVICE-Key": key }, body: file },
  });
  if (!reply.ok) throw new Error(await reply.text());
}

async function write(directory: string): Promise<void> {
  await using ours = await service({ flags: ["--postgres-bin", programs] });
  await fill(ours);
  for (const [question, answer] of Object.entries(answers)) {
    let given = "";
    const isRight = async () => {
      given = await ask({ address: "127.0.0.1", port: ours.port }, question);
      return given === answer;
    };
    await ours.daemon.until(isRight).catch(() => {
      throw new Error(`${question}: ${given}, not ${answer}`);
    });
  }
  mkdirSync(join(directory, "edge"), { recursive: true });
  const url = `postgresql:///fairlead?host=${encodeURIComponent(join(ours.data, "run"))}&user=fairlead`;
  const dump = await output(join(programs, "pg_dump"), ["--no-owner", "--inserts", "--rows-per-insert=100", url]);
  const packed = (name: string, content: string | Buffer) =>
    writeFileSync(join(directory, `${name}.gz`), gzipSync(content, { level: 9 }));
  // leaves out lines that only psql understands
  packed("store.sql", dump.replace(/^\\.*$/gm, ""));
  writeFileSync(join(directory, "passphrase"), "the passphrase of these files\n");
  const export_ = ["store", "export", join(directory, "export"), "--data", ours.data, "--force"];
  const passphrase = ["--passphrase-file", join(directory, "passphrase")];
  await output(join(tree, "bin/fairlead.js"), [...export_, ...passphrase]);
  const bare = ["store", "export", join(directory, "export-without-secrets"), "--data", ours.data, "--force"];
  await output(join(tree, "bin/fairlead.js"), [...bare, "--without-secrets"]);
  await ours.daemon.end();
  for (const name of ["master.key", "credentials.json", "edge/values", "edge/partners"]) {
    cpSync(join(ours.data, name), join(directory, name));
  }
  packed("edge/zones", readFileSync(join(ours.data, "edge/zones")));
  writeFileSync(join(directory, "answers.json"), `${JSON.stringify({ answers, tsig }, null, 2)}\n`);
}

const format = process.argv[2] ?? "";
if (!/^\d+$/.test(format)) throw new Error("usage: node test/formats/write.ts N");
await write(join(import.meta.dirname, format));
