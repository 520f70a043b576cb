/**
 * Reads a scenario: blocks of lines divided by blank ones, `#` for comments.
 *
 *     zone example.com [STATE] [link TARGET] [account NAME]
 *                                     then records, `owner ttl type rdata`, names relative to the zone; STATE is disabled,
 *                                     elsewhere or expired
 *     ? www.example.com A [udp 4096] [do] [tcp]
 *     NOERROR aa                      then records under `answer`, `authority`, `additional`; a section not named is empty
 *
 * `soa example.com` stands for the zone's SOA record as a denial shows it.
 */

import type { ImageZone } from "../../src/answer/image/rrset/source.ts";

export interface Script {
  /** The title: the first comment. */
  readonly title: string;
  readonly zones: readonly ScriptZone[];
  readonly steps: readonly Step[];
}

export interface ScriptZone extends Pick<ImageZone, "account_id" | "disabled" | "elsewhere" | "expired" | "link"> {
  readonly zone: string;
  readonly records: readonly string[];
}

export interface Step {
  readonly question: string;
  readonly options: readonly string[];
  readonly expected: string;
}

const sections = ["answer", "authority", "additional"];

export function parseScript(text: string): Script {
  const title = /^# (.*)/.exec(text)?.[1] ?? "";
  const blocks = text
    .split(/\n\s*\n/)
    .map((block) => block.split("\n").filter((line) => line.trim() !== "" && !line.startsWith("#")))
    .filter((block) => block.length > 0);
  const zones: Script["zones"][number][] = [];
  const steps: Step[] = [];
  for (const [head = "", ...lines] of blocks) {
    const [word, ...rest] = head.split(/\s+/);
    if (word === "zone") zones.push(zoneOf(rest, lines));
    else if (word === "?")
      steps.push({ question: rest.slice(0, 2).join(" "), options: rest.slice(2), expected: expected(lines) });
    else throw new Error(`neither zone nor question: ${head}`);
  }
  return { title, zones, steps };
}

function zoneOf([zone = "", ...states]: readonly string[], records: readonly string[]): ScriptZone {
  const is = (state: string) => states.includes(state);
  const after = (word: string) => (is(word) ? states[states.indexOf(word) + 1] : undefined);
  const flags = { disabled: is("disabled"), elsewhere: is("elsewhere"), expired: is("expired") };
  return { zone, account_id: after("account") ?? "", ...flags, link: after("link") ?? null, records };
}

function expected([status, ...lines]: readonly string[]): string {
  return [status, ...lines.map((line) => (sections.includes(line) ? line : record(line)))].join("\n");
}

function record(line: string): string {
  const soa = /^\s*soa (\S+)$/.exec(line)?.[1];
  if (soa === undefined) return `  ${line.trim().replaceAll(/\s+/g, " ")}`;
  return `  ${soa}. 60 SOA ns1.${soa}. hostmaster.${soa}. 1 43200 7200 1209600 60`;
}
