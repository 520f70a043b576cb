/** Dry runs of large change sets, whose effect is computed and shown. */
import { clientOf } from "../../service/client.ts";
import { type Attack, atOnce, type Load, repeat } from "../attack.ts";

const zone = "dry.example";
const filters = [{ filter: "geotarget_country", config: {} }];
const text = "x".repeat(250);

/** About 6.5 MB: so many records with text, of which some are steered. */
const changeSet = (share: number, count: number) => ({
  records: Array.from({ length: Math.ceil(count * share) }, (_, at) => {
    const isSteered = at % 10 === 0;
    const texts = Array.from({ length: isSteered ? 3 : 4 }, (_, n) => ({
      answer: [`${n} ${text}`],
      ...(isSteered ? { meta: { country: ["DE", "FR", "JP"].slice(0, n + 1) } } : {}),
    }));
    return {
      action: "put",
      zone,
      domain: `h${at}.${zone}`,
      type: "TXT",
      answers: texts,
      ...(isSteered ? { filters } : {}),
    };
  }),
});

const running =
  (count: number): Load =>
  ({ url, key, share }, signal) => {
    const client = clientOf(url, key);
    const body = JSON.stringify(changeSet(share, count));
    return atOnce(2, () => repeat(signal, 100, () => client.call("PUT", "changesets?dry_run=true", body)));
  };

export const dryRuns: Attack = {
  name: "dry-runs",
  what: "two dry runs at once of change sets of 5,000 records and 6.5 MB",
  victim: "reads",
  bar: 3,
  async prepare(client) {
    await client.must("PUT", `zones/${zone}`, { zone });
    await client.must("PUT", "changesets?dry_run=true", changeSet(0.01, 5000));
  },
  attack: running(5000),
  harmless: running(1),
};
