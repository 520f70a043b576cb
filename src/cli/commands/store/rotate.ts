/** `fairlead store rotate`: replaces the master key. */
import { addMasterKey, readMasterKeys, secretsFrom } from "../../../lib/secrets.ts";
import { masterKeysOf } from "../../../storage/secrets/master-key.ts";
import { rotate } from "../../../storage/secrets/sealed.ts";
import { masterKeyFile } from "../../host/directory.ts";
import { configOfStore, type Options, withStoreAlone } from "../../host/stores.ts";
import { print } from "./report.ts";

export async function runRotate(options: Options): Promise<void> {
  const config = configOfStore(options);
  const file = masterKeyFile(config);
  readMasterKeys(file);
  await withStoreAlone(config, async (store) => {
    // throws unless the file holds this store's master key
    await masterKeysOf(store, file);
    addMasterKey(file);
    const count = await rotate(store, secretsFrom(readMasterKeys(file)));
    print(
      `${count} API ${count === 1 ? "key is" : "keys are"} sealed with the new master key, which is the first line of ${file}.`,
    );
    print("The lines below it are needed only for older exports and backups.");
  });
}
