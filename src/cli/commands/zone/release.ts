/** `fairlead zone release`: works on the store directly, beside a running service or without one. */

import { getAccount } from "../../../control/people/operator/accounts.ts";
import { commandService } from "../../../control/start.ts";
import { claimOn, releaseName } from "../../../control/zones/release.ts";
import { newLog } from "../../../lib/log.ts";
import { announceChange } from "../../../storage/outbox/changes.ts";
import { controlOptions } from "../../host/control-options.ts";
import { configOfStore, type Options, withSecrets } from "../../host/stores.ts";
import { confirm } from "../../terminal/confirm.ts";

export type ReleaseOptions = Options & { readonly yes?: boolean };

export async function runRelease(name: string, { yes = false, ...options }: ReleaseOptions): Promise<void> {
  const config = configOfStore(options);
  await withSecrets(config, async (store, secrets, url) => {
    const given = { ...controlOptions(config, url), isStoreEmbedded: config.databaseUrl === undefined };
    const service = commandService(given, { store, secrets }, newLog(config.log, "store"));
    const claim = await claimOn(service, name);
    const account = await getAccount(store.db, claim.account_id);
    const whose = `${claim.fqdn} of ${account.name} (${account.id})`;
    if (claim.live) await confirm(`Delete the zone ${whose}, and let other accounts have the name?`, yes);
    await releaseName(service, claim, "fairlead zone release");
    await announceChange(store.db);
    const done = claim.live ? `The zone ${whose} is deleted, and its` : `The deleted zone ${whose} gave up its`;
    process.stdout.write(`${done} name is free. The zone can be brought back while no other account has the name.\n`);
  });
}
