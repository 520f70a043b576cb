/** Differences of a zone that is by turns primary and secondary, while its serials wrap around. */
import { expect, test } from "vitest";
import { answerTo, record, scriptedPrimary, soa } from "../../../test/network/scripted-primary.ts";
import { startApi } from "../../../test/service/api.ts";
import { edgeBeside } from "../../../test/service/edge.ts";
import { printRecord } from "../../dns/reply.ts";
import { axfrQuery, ixfrQuery } from "../../dns/transfer/query.ts";
import { serialOf, TransferReader, type Transferred } from "../../dns/transfer/reply.ts";
import { nameFromApi } from "../../dns/wire/name.ts";
import { isLaterSerial } from "../../lib/serial.ts";
import { exchangeLong } from "../../net/client/long-exchange.ts";

const patience = { timeout: 60_000, interval: 20 };
const limits = { records: 1000, octets: 1_000_000 };
const rounds = 4;
const zone = "circle.example";
const fqdn = `${zone}.`;
const name = nameFromApi(zone);
const api = await startApi();
const { port } = await edgeBeside(api);

/** The zone as a whole, or what changed since a serial. */
async function transferred(since?: number): Promise<Transferred> {
  const id = 1;
  const question = since === undefined ? axfrQuery(id, name) : ixfrQuery(id, name, soa(fqdn, since));
  const reader = new TransferReader({ id, zone: name, since }, limits);
  const { signal } = new AbortController();
  for await (const message of exchangeLong(
    { address: "127.0.0.1", port, message: 10_000, total: 20_000, signal },
    question,
  )) {
    reader.take(message);
    if (reader.isComplete) break;
  }
  return reader.result();
}

type Lines = ReadonlySet<string>;

/** The records of a server after a transfer, if it had these before. */
function after(lines: Lines, transfer: Transferred): Lines {
  if (transfer.kind === "current") return lines;
  if (transfer.kind === "whole") return new Set(transfer.records.map(printRecord));
  const left = new Set(lines);
  for (const { removed, added } of transfer.steps) {
    for (const line of removed.map(printRecord)) if (!left.delete(line)) left.add(`was not there: ${line}`);
    for (const line of added.map(printRecord)) left.add(line);
  }
  return left;
}

/** By serial: the records of a server that transferred the zone with that serial. */
const versions = new Map<number, Lines>();

/** Checks that from every version that a server may have, the differences lead to the current zone. */
async function checkDifferences(): Promise<void> {
  const whole = await transferred();
  if (whole.kind !== "whole") throw new Error("the zone was not transferred as a whole");
  const now = serialOf(whole.soa);
  const lines = after(new Set(), whole);
  for (const [serial, old] of versions) {
    // RFC 1982: a server that is half the number space behind takes its own version for the newer one
    if (!isLaterSerial(now, serial)) {
      versions.delete(serial);
      continue;
    }
    const changes = await transferred(serial);
    const got = changes.kind === "current" ? undefined : serialOf(changes.soa);
    if (got === now) expect([...after(old, changes)].sort(), `${serial} to ${now}`).toEqual([...lines].sort());
  }
  versions.set(now, lines);
}

const primary = await scriptedPrimary({ soa: soa(fqdn, 1), transfer: () => undefined });

/** Makes the zone secondary; its primary has this serial. */
async function makeSecondary(serial: number, last: number): Promise<void> {
  const said = soa(fqdn, serial);
  const records = [`${fqdn} 300 NS ns${last}.${fqdn}`, `theirs.${fqdn} 60 A 192.0.2.${last}`].map(record);
  primary.script.soa = said;
  primary.script.transfer = (query) => [answerTo(query, [said, ...records, said])];
  const secondary = { enabled: true, primary_ip: "127.0.0.1", primary_port: primary.port };
  await api.must("POST", `zones/${zone}`, { secondary });
  const taken = async () => (await api.must("POST", `zones/${zone}?refresh=true`))["serial"];
  await expect.poll(taken, { ...patience, interval: 200 }).toBe(serial);
  await checkDifferences();
}

/** Makes the zone primary again, with a change at once. */
async function makePrimary(last: number): Promise<void> {
  await api.must("POST", `zones/${zone}`, { secondary: null });
  const answers = [{ answer: [`192.0.2.${last}`] }];
  const names = Array.from({ length: 6 }, (_, i) => `own${i}.${zone}`);
  const checks = async () => {
    for (let i = 0; i < 4; i++) await checkDifferences();
  };
  await Promise.all([checks(), ...names.map((domain) => api.must("PUT", `zones/${zone}/${domain}/A`, { answers }))]);
  await checkDifferences();
}

test("differences lead from each version to the current one, whatever the serials", async () => {
  await api.must("PUT", `zones/${zone}`, { primary: { enabled: true, secondaries: [{ ip: "127.0.0.1" }] } });
  await expect.poll(() => checkDifferences().then(() => true, String), patience).toBe(true);
  for (let round = 1; round <= rounds; round++) {
    for (const [i, serial] of [2_000_000_000, 4_000_000_000, 5].entries()) await makeSecondary(serial, 3 * round + i);
    await makePrimary(round);
  }
});
