/** A process that pushes until it is killed: prints each number once it is durable. Arguments: store, feed, first number. */
import { newLog } from "../../src/lib/log.ts";
import { openStore } from "../../src/storage/db.ts";
import { push } from "../service/feeds.ts";

const [url = "", feed_id = "", first = "1"] = process.argv.slice(2);
const store = await openStore(url, { log: newLog("silent", "test"), poolSize: 2, isFenced: false });
for (let n = Number(first); ; n++) {
  await push(store, [{ feed_id, data: { n } }]);
  process.stdout.write(`${n}\n`);
}
