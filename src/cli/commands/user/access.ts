/** The actions of `fairlead user`, which work on the store directly. */
import { lifetimeOf } from "../../../control/people/credentials/token.ts";
import { resetFactorOf } from "../../../control/people/operator/user-factor.ts";
import { makeLink, type UserLink } from "../../../control/people/operator/user-link.ts";
import { seconds, systemClock } from "../../../lib/clock.ts";
import { addressOf } from "../../host/address.ts";
import { configOfStore, type Options, withSecrets } from "../../host/stores.ts";

export async function runInvite(username: string, options: Options): Promise<void> {
  const config = configOfStore(options);
  await withSecrets(config, async (store, secrets) => {
    const { publicUrl, isAssumed } = addressOf(config);
    const settings = { secrets, publicUrl, now: seconds(systemClock) };
    const made = await store.transaction((tx) => makeLink(tx, username, settings));
    process.stdout.write(printLink(publicUrl, made, isAssumed));
  });
}

export async function runReset(username: string, options: Options): Promise<void> {
  await withSecrets(configOfStore(options), async (store, secrets) => {
    const settings = { secrets, now: seconds(systemClock) };
    const { row, had } = await store.transaction((tx) => resetFactorOf(tx, username, settings));
    const done = had
      ? `The second factor of ${row.username} is removed: the password alone is enough to sign in. Current sessions end within a second.`
      : `${row.username} has no second factor.`;
    process.stdout.write(`${done}\n`);
  });
}

function printLink(publicUrl: string, { row, account, kind, link, command }: UserLink, isAssumed: boolean): string {
  return [
    `This link sets the password of ${row.username}, once, within ${lifetimeOf(kind)}:`,
    `  ${link}`,
    "Without a browser, this command does the same; replace the dots with a password:",
    `  ${command}`,
    ...(account.suspended_at === null
      ? []
      : [
          `${account.name} (${account.id}) is suspended: the link works only after \`fairlead account resume ${account.id}\`.`,
        ]),
    ...(isAssumed
      ? [`No service runs here: the link assumes ${publicUrl}. Set --public-url or --http if that is wrong.`]
      : []),
    "",
  ].join("\n\n");
}
