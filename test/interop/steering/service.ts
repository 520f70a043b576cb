/** Generated records and feeds in a running service: written over the API, asked over its sockets, explained by its API. */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { exchangeUdp } from "../../dns/exchange.ts";
import { Daemon, freePort } from "../../machine/processes.ts";
import { asStarted, node, type Service, type ServiceOptions, service, tree } from "../../service/kit.ts";
import type { Side } from "./compare.ts";
import { type GeneratedFeed, shortAge } from "./feeds.ts";
import { loopback, type WrittenFile } from "./geo-files.ts";
import { writeFiles } from "./in-process.ts";
import type { ModelRecord } from "./model/meta.ts";
import { packetOf, printSubnet, type Question } from "./questions.ts";
import { zone } from "./records.ts";
import { type Explained, resultOfPacket } from "./results.ts";
import type { GeneratedWorld } from "./world.ts";

const recordsAtOnce = 200;
const explainedAtOnce = 8;
/** A feed whose only purpose is to show when a push has arrived. */
const clock = "clock";

/** Writes geo files to disk; returns their flags. Must be disposed of. */
export function geoFlags(files: readonly WrittenFile[]) {
  const directory = mkdtempSync(join(tmpdir(), "fairlead-geo-"));
  const flags = writeFiles(directory, files).flatMap((path) => ["--geo", path]);
  return { flags, [Symbol.dispose]: () => rmSync(directory, { recursive: true }) };
}

/** A service without an effective rate limit. */
export const busyService = (flags: readonly string[], options: Omit<ServiceOptions, "flags"> = {}) =>
  service({ ...options, flags: ["--rate-limit", "1000000/1", ...flags] });

/** A separate edge for a service; ready when it shows the last push. */
export async function separateEdge(storeUrl: string, flags: readonly string[], isUp: boolean) {
  const [port, metrics, data] = [await freePort(), await freePort(), mkdtempSync(join(tmpdir(), "fairlead-edge-"))];
  const places = ["--dns", `127.0.0.1:${port}`, "--metrics", `127.0.0.1:${metrics}`, "--data", data, "--log", "warn"];
  const args = [join(tree, "bin/fairlead.js"), "edge", "--database-url", storeUrl, ...places, ...flags, ...asStarted];
  const daemon = new Daemon(node, args, { cwd: tree });
  const end = async () => {
    await daemon.end();
    rmSync(data, { recursive: true });
  };
  await daemon.until(() => showsClock(port, isUp), 30_000);
  return { port, [Symbol.asyncDispose]: end };
}

export async function overTheApi(running: Service, { feeds, records }: GeneratedWorld): Promise<Side> {
  await running.must("PUT", `zones/${zone}`, { zone });
  const source = String(
    (await running.must("PUT", "data/sources", { name: "steering", sourcetype: "nsone_v1" }))["id"],
  );
  const ids = await createFeeds(running, source, feeds);
  const bodies = [...records, clockRecord].map((record) => withIds(record, ids));
  for (let from = 0; from < bodies.length; from += recordsAtOnce) {
    await running.must("POST", `zones/${zone}/records`, { put: bodies.slice(from, from + recordsAtOnce) });
  }
  for (const { name, fate } of feeds) {
    if (fate === "deleted") await running.must("DELETE", `data/feeds/${source}/${ids.get(name)}`);
  }
  let pushes = 0;
  return {
    async push(tables) {
      pushes++;
      await running.must("POST", `feed/${source}`, {
        ...Object.fromEntries(tables),
        [clock]: { up: pushes % 2 === 1 },
      });
      await running.daemon.until(() => showsClock(running.port, pushes % 2 === 1));
      await delay((shortAge + 0.2) * 1000);
    },
    ask: (packets) => exchangeUdp(running.port, packets),
    explain: (questions) => explainAll(running, questions),
  };
}

/** Its answer is 192.0.2.1 after an odd number of pushes, and 192.0.2.2 after an even number. */
const clockRecord: ModelRecord = {
  domain: `${clock}.${zone}`,
  type: "A",
  answers: [
    { answer: ["192.0.2.1"], meta: { up: { feed: clock } } },
    { answer: ["192.0.2.2"], meta: { up: true } },
  ],
  meta: {},
  regions: {},
  filters: [{ filter: "up" }, { filter: "select_first_n" }],
  use_client_subnet: true,
};

/** Whether the edge has all records, and the last pushed values of feeds. */
async function showsClock(port: number, isUp: boolean): Promise<boolean> {
  const asked = packetOf({ record: clockRecord, domain: clockRecord.domain, type: "A", subnet: undefined });
  const [reply] = await exchangeUdp(port, [asked]).catch(() => []);
  const [link] = reply && (reply[3]! & 15) === 0 ? resultOfPacket(reply).links : [];
  return link?.[0] === (isUp ? "192.0.2.1" : "192.0.2.2");
}

async function createFeeds(running: Service, source: string, feeds: readonly GeneratedFeed[]) {
  const ids = new Map<string, string>();
  const wanted = [...feeds, { name: clock, max_age: null, fallback: null }];
  for (const { name, max_age, fallback } of wanted) {
    const body = { name, config: { label: name }, max_age, fallback };
    ids.set(name, String((await running.must("PUT", `data/feeds/${source}`, body))["id"]));
  }
  return ids;
}

/** Replaces the names of feeds with the service's ids. */
function withIds(record: ModelRecord, ids: ReadonlyMap<string, string>): unknown {
  return JSON.parse(JSON.stringify(record), (_key, value: unknown) => {
    const name = typeof value === "object" && value !== null && "feed" in value ? value.feed : undefined;
    return typeof name === "string" ? { feed: ids.get(name) } : value;
  });
}

/** Explanations in the order of the questions. */
async function explainAll(running: Service, questions: readonly Question[]): Promise<Explained[]> {
  const explained: Explained[] = [];
  let next = 0;
  const work = async () => {
    while (next < questions.length) {
      const index = next++;
      const { domain, type, subnet } = questions[index]!;
      const body = { name: domain, type, client: loopback, ...(subnet ? { subnet: printSubnet(subnet) } : {}) };
      explained[index] = await running.must<Explained>("POST", "explain", body);
    }
  };
  await Promise.all(Array.from({ length: explainedAtOnce }, work));
  return explained;
}
