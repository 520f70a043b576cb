/** Zone files of every kind, good and bad: our verdicts, those of BIND and of Knot, and the reasons for differences. */
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { grantOf } from "../../src/control/access/permit.ts";
import { readZoneFile } from "../../src/control/zonefiles/reading/read.ts";
import { Problem } from "../../src/lib/problem.ts";
import { run } from "../machine/processes.ts";
import { startApi } from "../service/api.ts";
import { addresses } from "./zonefiles/addresses.ts";
import { directives } from "./zonefiles/directives.ts";
import { files } from "./zonefiles/files.ts";
import { generate } from "./zonefiles/generate.ts";
import { generic } from "./zonefiles/generic.ts";
import { heads } from "./zonefiles/heads.ts";
import { keys } from "./zonefiles/keys.ts";
import { names } from "./zonefiles/names.ts";
import { head, type Row, type Verdict } from "./zonefiles/row.ts";
import { rules } from "./zonefiles/rules.ts";
import { services } from "./zonefiles/services.ts";
import { syntax } from "./zonefiles/syntax.ts";
import { targets } from "./zonefiles/targets.ts";
import { texts } from "./zonefiles/texts.ts";

const topics = {
  ...{ directives, generate, heads, syntax, names, generic },
  ...{ addresses, targets, texts, services, keys, rules, files },
};
const rows = Object.values(topics).flat();
const zone = "example.com";
const serversReplaced = /^line 3: NS records at the apex are replaced/;

const api = await startApi();
const directory = mkdtempSync(join(tmpdir(), "fairlead-zonefiles-"));
const ours = new Map<Row, Verdict>();
const others = new Map<Row, string>();

beforeAll(async () => {
  const waiting = [...rows.entries()];
  const judges = Array.from({ length: 3 }, async () => {
    for (let next = waiting.pop(); next; next = waiting.pop()) others.set(next[1], await othersOf(...next));
  });
  for (const row of rows) ours.set(row, await ourVerdict(row));
  await Promise.all(judges);
}, 400_000);

afterAll(() => rmSync(directory, { recursive: true }));

const octetsOf = ([, file]: Row): Uint8Array => (typeof file === "string" ? Buffer.from(`${head}${file}\n`) : file);

async function othersOf(index: number, row: Row): Promise<string> {
  const file = join(directory, `${index}.zone`);
  writeFileSync(file, octetsOf(row));
  const judge = async (expected: string | undefined, tool: string, args: readonly string[]) =>
    expected === "?" ? "?" : (await run(tool, [...args, file])).code === 0 ? "+" : "-";
  const [bind, knot] = row[3];
  const verdicts = await Promise.all([
    // local: names outside the zone are not looked up
    judge(bind, "named-checkzone", ["-q", "-i", "local", zone]),
    judge(knot, "kzonecheck", ["-o", zone]),
  ]);
  rmSync(file);
  return verdicts.join("");
}

const options = {
  ...{ zone, mostAnswers: 100, access: [grantOf({})] },
  head: { account_id: "account", zone_id: "zone", now: 0 },
};

async function ourVerdict(row: Row): Promise<Verdict> {
  try {
    const steps = readZoneFile(() => [octetsOf(row)], options);
    for (;;) {
      const { done, value } = await steps.next();
      if (done) return verdictOf(row, value.warnings);
    }
  } catch (error) {
    if (error instanceof Problem) return "-";
    throw error;
  }
}

async function verdictOfApi(row: Row): Promise<Verdict> {
  const reply = await fetch(`${api.url}/v1/import/zonefile/${zone}`, {
    method: "PUT",
    headers: { "X-NSONE-Key": api.key },
    body: octetsOf(row),
  });
  if (reply.status === 400) return "-";
  expect(reply.status).toBe(200);
  await api.must("DELETE", `zones/${zone}?confirm_deletions=true`);
  return verdictOf(row, ((await reply.json()) as { readonly warnings: readonly string[] }).warnings);
}

function verdictOf([, file]: Row, warnings: readonly string[]): Verdict {
  const reported = typeof file === "string" ? warnings.filter((warning) => !serversReplaced.test(warning)) : warnings;
  const lines = reported.flatMap((warning) => /^line (\d+):/.exec(warning)?.[1] ?? []).map(Number);
  return lines.length === 0 ? "+" : [...new Set(lines)];
}

describe.each(Object.entries(topics))("%s", (_topic, cases) => {
  for (const row of cases) {
    const [name, , expected, expectedOthers] = row;
    test(name, () => expect([ours.get(row), others.get(row)]).toEqual([expected, expectedOthers]));
  }
});

test("the API gives the same verdicts", async () => {
  for (const row of rows.filter((row, i) => i % 8 === 0 || typeof row[1] !== "string")) {
    expect([row[0], await verdictOfApi(row)]).toEqual([row[0], row[2]]);
  }
});

test("every row with a difference has a reason, and no other row has one", () => {
  const differs = ([, , verdict, theirs]: Row) => theirs !== (verdict === "-" ? "--" : "++");
  expect(rows.filter((row) => differs(row) !== (row[4] !== undefined)).map(([name]) => name)).toEqual([]);
});
