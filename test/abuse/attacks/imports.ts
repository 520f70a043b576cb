/** Imports of short files that make many records. */
import { type Attack, atOnce, type Load, repeat, type Target } from "../attack.ts";

const importing =
  (lines: string): Load =>
  (target, signal) =>
    atOnce(5, (at) => repeat(signal, 1000, () => send(target, `import${at}.example`, lines)));

function send({ url, key }: Target, zone: string, lines: string): Promise<unknown> {
  const soa = `@ 3600 IN SOA ns.${zone}. hostmaster.${zone}. 1 2 3 4 5\n@ 3600 IN NS ns.${zone}.\n`;
  const headers = { "X-NSONE-Key": key, "content-type": "text/plain" };
  return fetch(`${url}/v1/import/zonefile/${zone}`, { method: "PUT", headers, body: `${soa}${lines}\n` });
}

export const imports: Attack = {
  name: "imports",
  what: "five files at once, of $GENERATE with 65,536 records",
  victim: "api",
  bar: 3,
  attack: importing("$GENERATE 1-65536 h$ A 192.0.2.1"),
  harmless: importing("h A 192.0.2.1"),
};
