/** The zone that a load asks for. */
import type { Service } from "../service/kit.ts";
import { loadAddress, loadName } from "./load.ts";

export async function prepare(running: Service): Promise<void> {
  await running.zone("load.example");
  await running.put("load.example", `${loadName} A`, [loadAddress]);
  await running.daemon.until(async () => (await running.ask(`${loadName} A`)).length === 1);
}
