/** The snapshot of keys and zones' partners, with which an edge starts without its store: secrets are encrypted. */
import { mkdtempSync, readFileSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import { startApi } from "../../../test/service/api.ts";
import { startEdgeAt } from "../../../test/service/edge.ts";
import { axfrQuery, soaQuery } from "../../dns/transfer/query.ts";
import { sign, type TsigKey } from "../../dns/tsig/tsig.ts";
import { Rcode } from "../../dns/wire/constants.ts";
import { nameFromApi } from "../../dns/wire/name.ts";
import { exchange } from "../../net/client/exchange.ts";

const patience = { timeout: 60_000, interval: 50 };
const nowhere = "postgres://127.0.0.1:1/none";
const secret = Buffer.from("only those who share it know it");
const key: TsigKey = { name: nameFromApi("kept.key"), algorithm: "hmac-sha256", secret };
const zone = "kept.example";
const directory = mkdtempSync(join(tmpdir(), "fairlead-edge-"));
afterAll(() => rmSync(directory, { recursive: true }));
const api = await startApi();

async function start(storeUrl: string) {
  const edge = await startEdgeAt(storeUrl, {
    snapshots: { directory, every: 20 },
    masterKeyFile: join(api.directory, "master.key"),
  });
  await edge.ready;
  const place = { ...edge.addresses[0]!, transport: "tcp", timeout: 5000 } as const;
  /** Signs a query and returns the RCODE of the answer. */
  const rcode = async (query: Uint8Array) =>
    (await exchange(place, sign(query, key, Math.floor(Date.now() / 1000)).octets))[3]! & 15;
  return { edge, rcode };
}

const soaOf = () => soaQuery(7, nameFromApi(zone));

test("an edge that starts without its store verifies signatures", async () => {
  await api.must("PUT", "tsig/kept.key", { algorithm: key.algorithm, secret: secret.toString("base64") });
  const secondaries = [{ ip: "127.0.0.1", tsig_key: "kept.key" }];
  await api.must("PUT", `zones/${zone}`, { primary: { enabled: true, secondaries } });
  const first = await start(api.storeUrl);
  await expect.poll(() => first.rcode(soaOf()), patience).toBe(Rcode.NOERROR);
  await first.edge.close();

  const file = join(directory, "partners");
  const text = readFileSync(file, "latin1");
  expect(text).toContain("kept.key");
  for (const form of ["latin1", "base64", "hex"] as const) expect(text).not.toContain(secret.toString(form));
  expect(statSync(file).mode & 0o777).toBe(0o600);

  const away = await start(nowhere);
  expect(await away.rcode(soaOf())).toBe(Rcode.NOERROR);
  expect(await away.rcode(axfrQuery(8, nameFromApi(zone)))).toBe(Rcode.SERVFAIL);
  await away.edge.close();
});
