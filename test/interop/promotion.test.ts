/** The example of docs: two controls behind HAProxy, and a store with synchronous standbys, of which one is promoted. */
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { describe, expect, onTestFinished, test } from "vitest";
import { Network } from "../machine/network.ts";
import { output } from "../machine/processes.ts";
import { ClusterServer, example } from "../operate/cluster.ts";
import { asStarted, node, tree } from "../service/kit.ts";

const machines = {
  proxy: "192.0.2.10",
  ...{ control1: "192.0.2.11", control2: "192.0.2.12" },
  ...{ db1: "192.0.2.21", db2: "192.0.2.22", db3: "192.0.2.23" },
  client: "192.0.2.99",
};
const zone = "promoted.example";
const names = 100;
const api = `http://${machines.proxy}`;

interface Write {
  readonly name: number;
  readonly version: number;
  /** Unix milliseconds. */
  readonly at: number;
}

/** Only root can make the network: `ip netns`. */
describe.runIf(process.getuid?.() === 0)("two controls behind HAProxy, with synchronous standbys", () => {
  test("a promotion at 200 writes a second loses nothing that was acknowledged", async () => {
    const directory = mkdtempSync(join(tmpdir(), "fairlead-promotion-"));
    onTestFinished(() => rmSync(directory, { recursive: true, force: true }));
    const network = await Network.make(machines);
    onTestFinished(() => network[Symbol.asyncDispose]());
    const curl = (...args: readonly string[]) => {
      const [enter = "", ...rest] = network.inside("client");
      return output(enter, [...rest, "curl", "-sS", "-m", "10", ...args]);
    };

    const proxy = network.start("proxy", "haproxy", ["-db", "-f", example("haproxy.cfg")]);
    onTestFinished(async () => void (await proxy.end()));
    const [db1, db2, db3] = await startServers(network, directory);
    const key = await startControls(network, directory);
    const header = ["-H", `X-NSONE-Key: ${key}`];
    await curl("-X", "PUT", ...header, "-d", JSON.stringify({ zone }), `${api}/v1/zones/${zone}`);

    const file = join(directory, "acknowledged");
    writeFileSync(file, "");
    const writer = network.start("client", node, [
      ...[join(tree, "test/operate/writer.ts"), api, key, zone, `${names}`, file],
    ]);
    onTestFinished(async () => void (await writer.end()));
    const acknowledged = () => acknowledgedIn(readFileSync(file, "utf8"));
    // at 200 a second on a machine that does nothing else
    await expect.poll(() => acknowledged().length).toBeGreaterThan(700);

    // without its standbys the primary acknowledges nothing
    for (const { name } of [db2, db3]) await network.plug(name, "down");
    const cutOff = Date.now();
    await delay(4000);
    const off = Date.now();
    await db1.kill();
    for (const { name } of [db2, db3]) await network.plug(name, "up");
    const promoted = await promote(db2, db3);
    await expect.poll(() => acknowledged().filter(({ at }) => at > off + 500).length).toBeGreaterThan(600);
    const back = acknowledged().find(({ at }) => at > off + 500)!.at;
    await writer.end();

    const writes = acknowledged();
    const before = writes.filter(({ at }) => at < cutOff).length;
    const between = writes.filter(({ at }) => at > cutOff + 1000 && at < off).length;
    const rows = await promoted.sql(
      "select domain, answers->0->'answer'->>0 from record where type = 'TXT'",
      "fairlead",
    );
    const stored = new Map(rows.split("\n").map((row) => row.split("|") as [string, string]));
    const lost = writes.filter(({ name, version }) => Number(stored.get(`n${name}.${zone}`) ?? 0) < version);
    process.stdout.write(
      `promotion: ${writes.length} writes acknowledged, ${before} before the standbys were cut off; lost: ${lost.length}; first one ${back - off} ms after the power failure\n`,
    );
    expect({ lost, between }).toEqual({ lost: [], between: 0 });
    expect(back - off).toBeLessThan(20_000);
  });
});

async function startServers(network: Network, directory: string) {
  const [db1, db2, db3] = await Promise.all(
    (["db1", "db2", "db3"] as const).map(async (name) => {
      // the servers' sockets have the same name
      mkdirSync(join(directory, name));
      return await ClusterServer.on(network, name, join(directory, name));
    }),
  );
  onTestFinished(async () => {
    for (const server of [db1!, db2!, db3!]) await server.kill().catch(() => {});
  });
  await db1!.makePrimary();
  for (const standby of [db2!, db3!]) await standby.makeStandby(machines.db1);
  await expect.poll(() => db1!.sql("select count(*) from pg_stat_replication where sync_state = 'quorum'")).toBe("2");
  return [db1!, db2!, db3!] as const;
}

/** Returns the first API key. */
async function startControls(network: Network, directory: string): Promise<string> {
  for (const name of ["control1", "control2"] as const) {
    const data = join(directory, name);
    const control = network.start(name, node, [
      ...[join(tree, "bin/fairlead.js"), "control", "--data", data, "--log", "warn", ...asStarted],
      ...["--database-url", `postgres://fairlead:secret@${machines.proxy}/fairlead`],
      ...["--http", `${machines[name]}:8080`, "--trusted-proxy", `${machines.proxy}/32`],
      ...["--master-key-file", join(directory, "control1/master.key"), "--rate-limit", "1000000/1"],
    ]);
    onTestFinished(async () => void (await control.end()));
    const [enter = "", ...rest] = network.inside("client");
    const isReady = () =>
      output(enter, [...rest, "curl", "-sf", `http://${machines[name]}:8080/readyz`]).then(
        () => true,
        () => false,
      );
    await control.until(isReady, 60_000);
  }
  return JSON.parse(readFileSync(join(directory, "control1/credentials.json"), "utf8")).key;
}

/** Promotes the standby that has more, as the example says. */
async function promote(...standbys: readonly ClusterServer[]): Promise<ClusterServer> {
  const onAll = (statement: string) => Promise.all(standbys.map((standby) => standby.sql(statement)));
  await onAll("alter system set primary_conninfo = ''");
  await onAll("select pg_reload_conf()");
  await expect.poll(() => onAll("select count(*) from pg_stat_wal_receiver")).toEqual(["0", "0"]);
  const read = async () =>
    (await onAll("select greatest(pg_last_wal_receive_lsn(), pg_last_wal_replay_lsn()) - '0/0'::pg_lsn")).map(Number);
  let [before, positions] = [[0], await read()];
  while (before.join() !== positions.join()) {
    await delay(1000);
    [before, positions] = [positions, await read()];
  }
  const first = standbys[positions.indexOf(Math.max(...positions))]!;
  await first.sql("select pg_promote()");
  await onAll("alter system reset primary_conninfo");
  await onAll("select pg_reload_conf()");
  return first;
}

const acknowledgedIn = (text: string): Write[] =>
  text
    .split("\n")
    .slice(0, -1)
    .map((line) => line.split(" ").map(Number))
    .map(([name = 0, version = 0, at = 0]) => ({ name, version, at }));
