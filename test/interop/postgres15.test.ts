/** Debian's PostgreSQL 15 as the store: everything is moved there from the embedded server, works, and is moved back. */
import { randomBytes } from "node:crypto";
import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { sql } from "kysely";
import { afterAll, expect, test } from "vitest";
import { storeCommand } from "../../src/cli/commands/store/command.ts";
import { masterKeys, secretsFrom } from "../../src/lib/secrets.ts";
import { openStore, type Store } from "../../src/storage/db.ts";
import { startPostgres } from "../../src/storage/embedded/postgres.ts";
import { contentOf, fill, keyString } from "../store/filled-store.ts";
import { silent } from "../store/store.ts";

const programs = "/usr/lib/postgresql/15/bin";
const directory = mkdtempSync(join(tmpdir(), "fairlead-15-"));
afterAll(() => rmSync(directory, { recursive: true }));

const dataOf = (name: string) => join(directory, name);
const secretsOf = (name: string) => secretsFrom(masterKeys(join(dataOf(name), "master.key")));

/** Runs a function with the store of a data directory, opened as by the service. */
async function withStore<T>(name: string, binDir: string | undefined, use: (store: Store) => Promise<T>): Promise<T> {
  mkdirSync(dataOf(name), { recursive: true });
  const postgres = await startPostgres({ directory: dataOf(name), log: silent, ...(binDir ? { binDir } : {}) });
  const store = await openStore(postgres.url, { log: silent, poolSize: 4, isFenced: false });
  try {
    return await use(store);
  } finally {
    await store.close();
    await postgres.stop();
  }
}

const run = (...args: string[]) => storeCommand().parseAsync(args, { from: "user" });

test("moved from the embedded PostgreSQL 18 to Debian's 15 and back, every row is equal, and the secrets open", async () => {
  if (!existsSync(programs)) throw new Error("Debian's postgresql-15 is needed");
  const before = await withStore("first", undefined, async (store) => {
    await fill(store, secretsOf("first"));
    return await contentOf(store);
  });

  const passphrase = join(directory, "passphrase");
  writeFileSync(passphrase, `${randomBytes(12).toString("hex")}\n`);
  const [file, back] = [join(directory, "to-15.gz"), join(directory, "to-18.gz")];
  await run("export", file, "--data", dataOf("first"), "--passphrase-file", passphrase);
  await run("import", file, "--data", dataOf("second"), "--postgres-bin", programs, "--passphrase-file", passphrase);

  await withStore("second", programs, async (store) => {
    const { rows } = await sql<{ version: string }>`select version() as version`.execute(store.db);
    expect(rows[0]!.version).toContain("PostgreSQL 15");
    expect(await contentOf(store)).toEqual(before);
    await expectKey(store, "second");
    // while the server of that store runs
    await run("export", back, "--data", dataOf("second"), "--postgres-bin", programs);
  });

  await expect(run("import", back, "--data", dataOf("third"))).rejects.toThrow("--from-master-key-file");
  const keyFile = join(dataOf("second"), "master.key");
  await run("import", back, "--data", dataOf("fourth"), "--from-master-key-file", keyFile);
  await withStore("fourth", undefined, async (store) => {
    expect(await contentOf(store)).toEqual(before);
    await expectKey(store, "fourth");
  });
  await expect(run("export", back, "--data", dataOf("none"))).rejects.toThrow("no store in");
});

async function expectKey({ db }: Store, name: string) {
  const secrets = secretsOf(name);
  const row = await db.selectFrom("api_key").select(["id", "secret"]).executeTakeFirstOrThrow();
  expect(secrets.open(row.secret!, `api_key.secret:${row.id}`)).toBe(keyString);
  const claim = await db.selectFrom("key_claim").select("key_id").where("hash", "=", secrets.hash(keyString)).execute();
  expect(claim).toEqual([{ key_id: row.id }]);
}
