/** What `fairlead user` does, on the store itself. */
import type { Config, readConfig } from "../../config/config.ts";
import { lifetimeOf } from "../../control/people/credentials/token.ts";
import { resetFactorOf } from "../../control/people/operator/user-factor.ts";
import { makeLink, type UserLink } from "../../control/people/operator/user-link.ts";
import { seconds, systemClock } from "../../lib/clock.ts";
import { readMasterKeys, type Secrets, secretsFrom } from "../../lib/secrets.ts";
import type { Store } from "../../storage/db.ts";
import { masterKeysOf } from "../../storage/secrets/master-key.ts";
import { addressOf } from "../host/address.ts";
import { masterKeyFile } from "../host/directory.ts";
import { configOfStore, withStore } from "../host/stores.ts";

export type Options = Parameters<typeof readConfig>[0];

export async function runInvite(username: string, options: Options): Promise<void> {
  const config = configOfStore(options);
  await onStore(config, async (store, secrets) => {
    const { publicUrl, isAssumed } = addressOf(config);
    const place = { secrets, publicUrl, now: seconds(systemClock) };
    const made = await store.transaction((tx) => makeLink(tx, username, place));
    process.stdout.write(printLink(publicUrl, made, isAssumed));
  });
}

export async function runReset(username: string, options: Options): Promise<void> {
  await onStore(configOfStore(options), async (store, secrets) => {
    const place = { secrets, now: seconds(systemClock) };
    const { row, had } = await store.transaction((tx) => resetFactorOf(tx, username, place));
    const done = had
      ? `The second factor of ${row.username} is reset: the password alone lets the user in, whose sessions end within a second.`
      : `${row.username} has no second factor.`;
    process.stdout.write(`${done}\n`);
  });
}

async function onStore(config: Config, run: (store: Store, secrets: Secrets) => Promise<void>): Promise<void> {
  // where there is no key there are no users, and nothing is made
  readMasterKeys(masterKeyFile(config));
  await withStore(config, { shared: true }, async (_, store) =>
    run(store, secretsFrom(await masterKeysOf(store, masterKeyFile(config)))),
  );
}

function printLink(publicUrl: string, { row, account, kind, link, command }: UserLink, isAssumed: boolean): string {
  return [
    `Whoever opens this within ${lifetimeOf(kind)} sets the password of ${row.username}, once:`,
    `  ${link}`,
    "Without a browser this does the same, with a password in the place of the dots:",
    `  ${command}`,
    ...(account.suspended_at === null
      ? []
      : [
          `${account.name} (${account.id}) is suspended: it opens nothing before \`fairlead account resume ${account.id}\`.`,
        ]),
    ...(isAssumed ? [`No service runs here: ${publicUrl} is assumed, --public-url or --http says otherwise.`] : []),
    "",
  ].join("\n\n");
}
