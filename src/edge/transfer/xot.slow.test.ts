/** RFC 9103: transfers over TLS, on connections that permit them, and several over one connection. */
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { ConnectionOptions } from "node:tls";
import { afterAll, expect, test } from "vitest";
import { freePort } from "../../../test/machine/processes.ts";
import { certificate, follow, framed, openPlain, openTls } from "../../../test/network/streams.ts";
import { startApi } from "../../../test/service/api.ts";
import { edgeBeside } from "../../../test/service/edge.ts";
import { parseReply, printRecord } from "../../dns/reply.ts";
import { axfrQuery, padded, soaQuery } from "../../dns/transfer/query.ts";
import { nameFromApi } from "../../dns/wire/name.ts";

const patience = { timeout: 60_000, interval: 50 };
const zones = ["open.example", "closed.example"] as const;
const api = await startApi();
const dot = await freePort();
const directory = mkdtempSync(join(tmpdir(), "fairlead-xot-"));
afterAll(() => rmSync(directory, { recursive: true }));
const files = { cert: join(directory, "cert.pem"), key: join(directory, "key.pem") };
for (const what of ["cert", "key"] as const) writeFileSync(files[what], certificate[what]);
const { port } = await edgeBeside(api, {
  secure: { listen: [{ transport: "tls", address: "127.0.0.1", port: dot }], certificate: files },
});
for (const zone of zones) {
  const secondaries = [{ ip: "127.0.0.1", ...(zone === "closed.example" ? { tls_only: true } : {}) }];
  await api.must("PUT", `zones/${zone}`, { primary: { enabled: true, secondaries } });
}

/** Sends the queries over one connection. Returns the RCODE, the length and the record types of each answer. */
async function ask(questions: readonly Uint8Array[], how: ConnectionOptions | undefined) {
  const socket = how ? await openTls(dot, how) : await openPlain(port);
  const { messages } = follow(socket);
  socket.write(Buffer.concat(questions.map(framed)));
  await expect.poll(() => messages().length, patience).toBe(questions.length);
  socket.destroy();
  return messages().map((octets) => {
    const { rcode, answer } = parseReply(octets);
    return { rcode, octets: octets.length, types: answer.map((record) => printRecord(record).split(" ")[3]) };
  });
}

const xot: ConnectionOptions = { ALPNProtocols: ["dot"], minVersion: "TLSv1.3" };
const whole = (zone: string) => axfrQuery(1, nameFromApi(zone));
const contents = ["SOA", "NS", "NS", "SOA"];

test("over TLS 1.3 with the ALPN of DNS, zones are transferred one after another", async () => {
  const [open, closed] = zones;
  const questions = [whole(open), padded(whole(closed), 0), soaQuery(1, nameFromApi(open)), whole(open)];
  // an edge receives zones and their permitted clients over different streams
  await expect
    .poll(async () => (await ask(questions, xot)).map(({ types }) => types), patience)
    .toEqual([contents, contents, ["SOA"], contents]);
  expect((await ask(questions, xot))[1]!.octets % 468).toBe(0);
});

test.each<[string, readonly number[], ConnectionOptions | undefined]>([
  ["TCP, all zones are transferred, except those for TLS only", [0, 5], undefined],
  ["TLS 1.2, no zone is transferred", [5, 5], { ...xot, minVersion: "TLSv1.2", maxVersion: "TLSv1.2" }],
  ["TLS without the ALPN of DNS, no zone is transferred", [5, 5], { minVersion: "TLSv1.3" }],
])("over %s", async (_, rcodes, how) => {
  expect((await ask(zones.map(whole), how)).map(({ rcode }) => rcode)).toEqual(rcodes);
});
