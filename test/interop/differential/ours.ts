/** Generated zones in our own image, answered in this process. */
import { ImageReader } from "../../../src/answer/image/reader.ts";
import { ImageWriter } from "../../../src/answer/image/writer/writer.ts";
import { createServe } from "../../../src/edge/serve/serve.ts";
import type { RecordState } from "../../../src/sync/change.ts";
import { print } from "../../dns/names.ts";
import type { Side } from "./compare.ts";
import type { GeneratedZone, Rrset } from "./zones.ts";

const client = { family: 4, address: Uint8Array.of(127, 0, 0, 1), port: 53_000 } as const;

/** Answers as the edge would, without sockets. */
export function inProcess(zones: readonly GeneratedZone[]): Side {
  const writer = ImageWriter.create();
  for (const zone of zones) {
    writer.putZone(zone.state, zone.serial);
    for (const rrset of zone.rrsets) writer.putRecord(recordState(zone, rrset));
  }
  writer.commit();
  const image = new ImageReader(writer.share(), 0);
  const serve = createServe(image, {
    onFault: (error) => {
      throw error;
    },
  });
  const out = Buffer.alloc(65_535);
  const answer = (query: Buffer, transport: "udp" | "tcp") => {
    image.enter();
    const length = serve(query, 0, query.length, client, transport, out, 0, out.length);
    image.leave();
    return Buffer.from(out.subarray(0, length));
  };
  return { zones, ask: async (queries, transport) => queries.map((query) => answer(query, transport)) };
}

const recordState = (zone: GeneratedZone, { owner, type, ttl, answers }: Rrset): RecordState => ({
  id: "0".repeat(24),
  zone_id: zone.state.id,
  domain: print(owner),
  type,
  ttl,
  answers: answers.map((answer) => ({ id: "0".repeat(24), answer })),
  meta: {},
  regions: {},
  filters: [],
  use_client_subnet: true,
  override_ttl: false,
  override_address_records: false,
});
