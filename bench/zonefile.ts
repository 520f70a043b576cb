/** The parser of zone files in one thread: records per second of CPU time, for several kinds of files. */
import { nameFromApi } from "../src/dns/wire/name.ts";
import { ZoneFileReader } from "../src/dns/zonefile/records.ts";
import { bench } from "./kit/bench.ts";
import { atLeast, type Row } from "./kit/rows.ts";
import { address } from "./kit/zone.ts";

/** The fewest records a second that are expected. */
const least = 200_000;
const chunk = 65_536;
const head = "$TTL 300\n@ SOA ns admin 1 2 3 4 5\n";

const hex = (i: number) => (i & 0xffff).toString(16);

const files: Readonly<Record<string, (i: number) => string>> = {
  "A, relative names": (i) => `host${i} A ${address(i)}\n`,
  "A, as a transfer is printed": (i) => `host${i}.example.com.\t300\tIN\tA\t${address(i)}\n`,
  "AAAA, as a transfer is printed": (i) =>
    `host${i}.example.com.\t300\tIN\tAAAA\t2001:db8::${hex(i)}:${hex(i >>> 16)}\n`,
  "CNAME, as a transfer is printed": (i) => `host${i}.example.com.\t300\tIN\tCNAME\ttarget${i}.example.com.\n`,
  "MX and TXT, two lines a name": (i) =>
    i % 2 === 0
      ? `host${i} 300 IN MX 10 mail${i}.example.net.\n`
      : `\t300 IN TXT "v=spf1 include:_spf${i}.example.net -all"\n`,
};

function read(file: Uint8Array): number {
  const reader = new ZoneFileReader(nameFromApi("example.com"));
  let records = 0;
  const count = (items: Iterable<object>) => {
    for (const item of items) if ("record" in item) records += 1;
  };
  for (let at = 0; at < file.length; at += chunk) count(reader.push(file.subarray(at, at + chunk)));
  count(reader.end());
  return records;
}

await bench(async (scale): Promise<Row[]> => {
  const count = scale(1_000_000, 10_000);
  return Object.entries(files).map(([what, line]) => {
    const file = Buffer.from(head + Array.from({ length: count }, (_, i) => line(i)).join(""));
    const before = process.cpuUsage();
    const records = read(file);
    const { user, system } = process.cpuUsage(before);
    const rate = records / ((user + system) / 1e6);
    const row = { name: "zonefile", measure: `parsed in CPU time: ${what}`, unit: "/s", ours: rate, peers: {} };
    return { ...row, ...atLeast(rate, least, "/s") };
  });
});
