/** Files of this and earlier versions can be read and give the same answers: stores, exports, snapshots and streams. */
import { cpSync, existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { gunzipSync } from "node:zlib";
import pg from "pg";
import { pino } from "pino";
import { afterAll, describe, expect, onTestFinished, test } from "vitest";
import { ImageWriter } from "../../src/answer/image/writer/writer.ts";
import { version } from "../../src/config/version.ts";
import { soaQuery } from "../../src/dns/transfer/query.ts";
import { sign } from "../../src/dns/tsig/tsig.ts";
import { Rcode } from "../../src/dns/wire/constants.ts";
import { nameFromApi } from "../../src/dns/wire/name.ts";
import { LineSnapshots } from "../../src/edge/snapshot/line-snapshots.ts";
import { liveLines } from "../../src/edge/snapshot/live-snapshot.ts";
import { Snapshots } from "../../src/edge/snapshot/snapshots.ts";
import { newId } from "../../src/lib/ids.ts";
import { masterKeys, secretsFrom } from "../../src/lib/secrets.ts";
import { exchange } from "../../src/net/client/exchange.ts";
import { openStore, type Store } from "../../src/storage/db.ts";
import { importStore } from "../../src/storage/export/import.ts";
import { readPassphrase, secretsOfPassphrase } from "../../src/storage/export/passphrase.ts";
import { StreamConnection } from "../../src/sync/postgres/connection.ts";
import { ask } from "../engine/states.ts";
import { startApi } from "../service/api.ts";
import { edgeBeside } from "../service/edge.ts";
import { contentOf } from "../store/filled-store.ts";
import { emptyDatabase, silent, testStore } from "../store/store.ts";

const patience = { timeout: 60_000, interval: 50 };
const nowhere = "postgres://127.0.0.1:1/none";
const formats = readdirSync(import.meta.dirname).filter((name) => /^\d+$/.test(name));

/** Puts the snapshots in place of those of an edge; returns its directory. */
function snapshotsOf(written: string, directory: string): string {
  const keep = join(directory, "edge");
  cpSync(join(written, "edge"), keep, { recursive: true });
  writeFileSync(join(keep, "zones"), gunzipSync(readFileSync(join(keep, "zones.gz"))));
  return keep;
}

describe.each(formats)("format %s", (format) => {
  const written = join(import.meta.dirname, format);
  const { answers, tsig } = JSON.parse(readFileSync(join(written, "answers.json"), "utf8"));

  /** A data directory with the master key and the first API key of that time. */
  function dataDirectory(): string {
    const directory = mkdtempSync(join(tmpdir(), "fairlead-formats-"));
    onTestFinished(() => rmSync(directory, { recursive: true, force: true }));
    for (const name of ["master.key", "credentials.json"]) cpSync(join(written, name), join(directory, name));
    return directory;
  }

  /** The address of a database with the dump, migrated to this version's schema. */
  async function restored(): Promise<string> {
    const url = await emptyDatabase();
    const client = new pg.Client({ connectionString: url });
    await client.connect();
    await client.query(gunzipSync(readFileSync(join(written, "store.sql.gz"))).toString());
    await client.end();
    await (await openStore(url, { log: silent })).close();
    return url;
  }

  /** The rows of a store, without what changed between the dump and the export: when a key was used last. */
  const settled = async (store: Store) =>
    JSON.parse(JSON.stringify(await contentOf(store)).replace(/\\"last_access\\":(null|\d+)/g, ""));

  /** Expects that an edge gives the answers from when the files were written, and returns it. */
  async function expectAnswered(...[source, options]: Parameters<typeof edgeBeside>) {
    const server = { ...(await edgeBeside(source, options)), timeout: 3000 };
    for (const [question, answer] of Object.entries(answers)) {
      await expect.poll(() => ask(server, question), { ...patience, message: question }).toBe(answer);
    }
    return server;
  }

  /** Likewise, and expects that it knows the TSIG key of a zone. */
  async function expectAnswers(...given: Parameters<typeof edgeBeside>): Promise<void> {
    const server = await expectAnswered(...given);
    const key = {
      ...({ name: nameFromApi(tsig.name), algorithm: "hmac-sha256" } as const),
      secret: Buffer.from(tsig.secret, "base64"),
    };
    const signed = () => sign(soaQuery(7, nameFromApi("formats.example")), key, Math.floor(Date.now() / 1000)).octets;
    const rcode = async () => (await exchange({ ...server, transport: "tcp" }, signed()))[3]! & 15;
    await expect.poll(rcode, patience).toBe(Rcode.NOERROR);
  }

  /** Expects that the API accepts the first key of that time, and writes. */
  async function expectWritable(storeUrl: string, directory: string): Promise<void> {
    const api = await startApi({ storeUrl, directory });
    const answer = await api.call("PUT", "zones/formats.example/new.formats.example/A", {
      answers: [{ answer: ["192.0.2.9"] }],
    });
    expect(answer.text).toContain("192.0.2.9");
    expect((await api.numbered(answer)).revision).toBeGreaterThan(0);
    expect(await api.must("GET", "zones/imported.example")).toMatchObject({
      records: [{}, { domain: "www.imported.example" }],
    });
  }

  test("a store is migrated to this version's schema, answered from, and written to", async () => {
    const [storeUrl, directory] = [await restored(), dataDirectory()];
    await expectAnswers({ storeUrl, directory });
    await expectWritable(storeUrl, directory);
  });

  /** The address of a database with the export. `directory` gets a new master key. */
  async function imported(directory: string): Promise<string> {
    const url = await emptyDatabase();
    rmSync(join(directory, "master.key"));
    const secrets = secretsFrom(masterKeys(join(directory, "master.key")));
    const passphrase = readPassphrase(join(written, "passphrase"));
    await importStore({
      ...{ url, file: join(written, "export"), version, secrets, async beforeCommit() {}, log: silent },
      fileSecrets: (key) => secretsOfPassphrase(passphrase, key.kind === "passphrase" ? key.salt : ""),
    });
    return url;
  }

  test("an export that is read into an empty database equals the migrated store, row for row", async () => {
    const [ours, theirs] = [await testStore({ url: await imported(dataDirectory()) }), await restored()];
    expect(await settled(ours)).toEqual(await settled(await testStore({ url: theirs })));
  });

  test("an export is read into a new store", async () => {
    const directory = dataDirectory();
    const url = await imported(directory);
    await expectAnswers({ storeUrl: url, directory });
    await expectWritable(url, directory);
  });

  test.runIf(existsSync(join(written, "export-without-secrets")))(
    "an export without secrets is read, too",
    async () => {
      const [url, directory] = [await emptyDatabase(), dataDirectory()];
      const secrets = secretsFrom(masterKeys(join(directory, "master.key")));
      const file = join(written, "export-without-secrets");
      const given = { url, file, version, secrets, async beforeCommit() {}, log: silent };
      const { lost } = await importStore({ ...given, fileSecrets: () => undefined });
      expect(lost.map(({ kind, name }) => [kind, name])).toEqual([
        ["api_key", "first key"],
        ["tsig_key", tsig.name],
      ]);
      await expectAnswered({ storeUrl: url, directory });
    },
  );

  test("a snapshot is answered from while the store is away", async () => {
    const directory = dataDirectory();
    const keep = snapshotsOf(written, directory);
    await expectAnswers({ storeUrl: nowhere, directory }, { snapshots: { directory: keep } });
  });

  test("a snapshot and later changes are answered; a baseline replaces one without the accounts of zones", async () => {
    const [storeUrl, directory] = [await restored(), dataDirectory()];
    const keep = snapshotsOf(written, directory);
    const lines: string[] = [];
    const log = pino({ level: "debug" }, { write: (line: string) => void lines.push(line) });
    const api = await startApi({ storeUrl, directory });
    await api.must("PUT", "zones/later.example", { link: "new.example" });
    await api.must("PUT", "zones/new.example", {});
    const server = {
      ...(await edgeBeside({ storeUrl, directory }, { snapshots: { directory: keep }, log })),
      timeout: 3000,
    };
    await expect.poll(() => ask(server, "www.later.example A"), patience).toBe("NXDOMAIN");
    expect(lines.join()).toContain("read a snapshot of the zones");
    if (format === "1") expect(lines.join()).toContain("took a baseline");
  });

  test("the streams are read from their first message on", async () => {
    const [storeUrl, directory] = [await restored(), dataDirectory()];
    const connection = await StreamConnection.open(storeUrl, { id: newId(), channel: "unused", onNews: () => {} });
    const position = { revision: 0, store: await connection.store(), currentAt: 0 };
    connection.end();
    const image = ImageWriter.create();
    await new Snapshots(directory, "all", silent).write(() => ({ ...position, image }));
    await new LineSnapshots(liveLines, directory, silent).write({ position, states: [] });
    const lines: string[] = [];
    const log = pino({ level: "debug" }, { write: (line: string) => void lines.push(line) });
    await expectAnswers({ storeUrl, directory }, { snapshots: { directory }, log });
    expect(lines.join()).not.toMatch(/took a baseline|cannot be/);
    expect(lines.join()).toContain("read a snapshot of the zones");
  });
});

describe("files of an unreleased version", () => {
  const written = join(import.meta.dirname, "unreleased");
  const directory = mkdtempSync(join(tmpdir(), "fairlead-unreleased-"));
  afterAll(() => rmSync(directory, { recursive: true, force: true }));

  test("an export is refused, and the message names the way on", async () => {
    const url = await emptyDatabase();
    const secrets = secretsFrom(masterKeys(join(directory, "master.key")));
    const given = { url, file: join(written, "export"), version, secrets, async beforeCommit() {}, log: silent };
    await expect(importStore({ ...given, fileSecrets: () => secrets })).rejects.toThrow(
      /^the file was made by an unreleased version of Fairlead.*start with an empty data directory.*empty database/,
    );
  });

  test("snapshots are named and not used, and the edge answers as its store", async () => {
    const api = await startApi();
    await api.must("PUT", "zones/formats.example", {});
    const lines: string[] = [];
    const log = pino({ level: "error" }, { write: (line: string) => void lines.push(line) });
    const snapshots = { directory: snapshotsOf(written, directory) };
    const server = await edgeBeside(api, { snapshots, log });
    expect(await ask({ ...server, timeout: 3000 }, "www.formats.example A")).toBe("NXDOMAIN");
    const refused = lines
      .map((line) => JSON.parse(line))
      .filter(({ reason }) => /not a snapshot that this/.test(reason));
    expect(refused.map(({ path }) => basename(path)).toSorted()).toEqual(["partners", "values", "zones"]);
  });
});
