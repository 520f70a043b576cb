/** CPU time of a steered UDP answer beside gdnsd and PowerDNS, in one run, in turns. node bench/steered.ts [seconds] [rounds] */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { service } from "../test/kit.ts";
import { cpuTime, processesBelow } from "../test/proc.ts";
import { Daemon, freePort, output, run } from "../test/processes.ts";
import { rolesOf } from "../test/roles.ts";
import { median, printTable } from "./measure.ts";

const seconds = Number(process.argv[2] ?? 5);
const rounds = Number(process.argv[3] ?? 3);
const zone = "bench.example";
const serverCore = "1";
const clientCore = "0";
/** Client subnet 20.1.2.0/24, as dnsperf takes an option. */
const subnet = "8:00011800140102";

interface Server extends AsyncDisposable {
  readonly port: number;
  pids(): readonly number[];
}

/** Microseconds a query. */
interface Sample {
  readonly perSecond: number;
  readonly user: number;
  readonly system: number;
}

const filters = [
  { filter: "geofence_country", config: { remove_no_location: true } },
  { filter: "up", config: {} },
  { filter: "weighted_shuffle", config: {} },
  { filter: "select_first_n", config: { N: 1 } },
];
const weights = [1, 2, 3, 4];

const directory = mkdtempSync(join(tmpdir(), "fairlead-bench-"));
const questions = (name: string) => {
  const path = join(directory, name);
  writeFileSync(path, `${name}.${zone} A\n`.repeat(1000));
  return path;
};
const steered = questions("steered");
const fixed = questions("fixed");

await using ours = await startOurs();
await using gdnsd = await startGdnsd();
await using powerdns = await startPowerDns();

const contenders = [
  { name: "Fairlead, one address", server: ours, questions: fixed },
  { name: "Fairlead, chain of 4 with client subnet", server: ours, questions: steered },
  { name: "gdnsd, weighted", server: gdnsd, questions: steered },
  { name: "PowerDNS, Lua pickwrandom", server: powerdns, questions: steered },
];
const samples = contenders.map((): Sample[] => []);
for (let round = 0; round < rounds; round++) {
  for (const [i, { server, questions }] of contenders.entries()) samples[i]!.push(await measure(server, questions));
}
const rows = contenders.map(({ name }, i) => {
  const middle = (value: (sample: Sample) => number) => median(samples[i]!.map(value));
  const [user, system] = [middle((sample) => sample.user), middle((sample) => sample.system)];
  return [
    name,
    middle(({ perSecond }) => perSecond).toFixed(0),
    ...[user, system, user + system].map((us) => us.toFixed(2)),
  ];
});
printTable(["server", "queries/s", "user us", "system us", "total us"], rows);
rmSync(directory, { recursive: true });

async function measure(server: Server, questions: string): Promise<Sample> {
  const before = cpuTime(server.pids());
  const target = ["-s", "127.0.0.1", "-p", `${server.port}`, "-d", questions, "-l", `${seconds}`];
  const load = ["-c", "8", "-T", "1", "-e", "-E", subnet];
  const printed = await output("taskset", ["-c", clientCore, "dnsperf", ...target, ...load]);
  const after = cpuTime(server.pids());
  const answered = Number(/Queries completed:\s+(\d+)/.exec(printed)?.[1]);
  return {
    perSecond: Number(/Queries per second:\s+([\d.]+)/.exec(printed)?.[1]),
    user: ((after.user - before.user) / answered) * 1e6,
    system: ((after.system - before.system) / answered) * 1e6,
  };
}

/** The whole service; its edge, with one worker, is pinned. Four answers in two countries, each up and with a weight. */
async function startOurs(): Promise<Server> {
  const geo = join(directory, "countries.csv");
  writeFileSync(geo, "20.0.0.0,20.255.255.255,DE\n30.0.0.0,30.255.255.255,FR\n");
  const running = await service({ flags: ["--workers", "1", "--geo", geo] });
  await running.zone(zone, { ttl: 3600 });
  await running.put(zone, `fixed.${zone} A`, ["192.0.2.1"]);
  const answers = weights.map((weight) => ({
    answer: [`192.0.2.${weight}`],
    meta: { country: ["DE", "AT"], up: true, weight },
  }));
  const { status, body } = await running.api("PUT", `zones/${zone}/steered.${zone}/A`, {
    zone,
    domain: `steered.${zone}`,
    type: "A",
    ttl: 60,
    answers: [...answers, { answer: ["192.0.2.9"], meta: { country: ["FR"], up: true, weight: 1 } }],
    filters,
  });
  if (status !== 200) throw new Error(JSON.stringify(body));
  while ((await running.ask(`steered.${zone} A`, "+subnet=20.1.2.0/24")).length !== 1);
  const { edge } = rolesOf(running);
  for (const pid of edge) await output("taskset", ["-a", "-p", "-c", serverCore, `${pid}`]);
  return { port: running.port, pids: () => edge, [Symbol.asyncDispose]: () => running[Symbol.asyncDispose]() };
}

async function startGdnsd(): Promise<Server> {
  const port = await freePort();
  const home = join(directory, "gdnsd");
  mkdirSync(join(home, "zones"), { recursive: true });
  const addresses = weights.map((weight) => `a${weight} => [ 192.0.2.${weight}, ${weight} ]`).join(", ");
  writeFileSync(
    join(home, "config"),
    `options => { listen => [ 127.0.0.1:${port} ], udp_threads => 1, tcp_threads => 1, run_dir => "${home}/run", state_dir => "${home}/state" }
plugins => { weighted => { w => { multi => false, service_types => up, ${addresses} } } }
`,
  );
  writeFileSync(
    join(home, "zones", zone),
    `@ 3600 SOA ns1 hostmaster 1 7200 1800 259200 900\n@ 3600 NS ns1\nns1 3600 A 192.0.2.1\nsteered 60 DYNA weighted!w\n`,
  );
  return started(port, ["/usr/sbin/gdnsd", "-c", home, "start"]);
}

async function startPowerDns(): Promise<Server> {
  const port = await freePort();
  const home = join(directory, "powerdns");
  mkdirSync(home);
  const choice = weights.map((weight) => `{${weight}, '192.0.2.${weight}'}`).join(", ");
  writeFileSync(
    join(home, "zone"),
    `$ORIGIN ${zone}.\n@ 3600 IN SOA ns1 hostmaster 1 7200 1800 259200 900\n@ 3600 IN NS ns1\nns1 3600 IN A 192.0.2.1\nsteered 60 IN LUA A "pickwrandom({${choice}})"\n`,
  );
  writeFileSync(join(home, "named.conf"), `zone "${zone}" { type master; file "${home}/zone"; };\n`);
  writeFileSync(
    join(home, "pdns.conf"),
    `launch=bind
bind-config=${home}/named.conf
enable-lua-records=yes
edns-subnet-processing=yes
local-address=127.0.0.1
local-port=${port}
socket-dir=${home}
receiver-threads=1
distributor-threads=1
daemon=no
guardian=no
loglevel=3
`,
  );
  return started(port, ["/usr/sbin/pdns_server", `--config-dir=${home}`]);
}

/** A pinned server, once it answers. */
async function started(port: number, command: readonly string[]): Promise<Server> {
  const daemon = new Daemon("taskset", ["-c", serverCore, ...command]);
  const dig = ["@127.0.0.1", "-p", `${port}`, "+short", "+tries=1", "+time=1", `steered.${zone}`, "A"];
  await daemon.until(async () => (await run("dig", dig)).out.startsWith("192.0.2."), 20_000);
  const pids = [daemon.pid, ...processesBelow(daemon.pid).map(({ pid }) => pid)];
  return {
    port,
    pids: () => pids,
    [Symbol.asyncDispose]: async () => {
      await daemon.end();
    },
  };
}
