/** A zone with many records. */
import type { Client } from "../../service/client.ts";

const atOnce = 1000;

/** Makes a zone with about so many TXT records, at least a thousand. */
export async function fillZone(client: Client, zone: string, records: number, fields: object = {}): Promise<void> {
  await client.must("PUT", `zones/${zone}`, { zone, ...fields });
  for (let round = 0; round < Math.ceil(records / atOnce); round++) {
    const put = Array.from({ length: atOnce }, (_, at) => ({
      domain: `h${round}-${at}.${zone}`,
      type: "TXT",
      answers: [{ answer: ["x".repeat(250)] }],
    }));
    await client.must("POST", `zones/${zone}/records`, { put });
  }
}
