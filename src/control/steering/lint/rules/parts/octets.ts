/** Measures the size of a reply. */

import { emptyAtlas, locateNobody, noFeeds } from "../../../../../answer/chain/unknown.ts";
import { ImageWriter } from "../../../../../answer/image/writer/writer.ts";
import { Questioner } from "../../../../../answer/reply/question.ts";
import type { RecordType } from "../../../../../dns/rdata/record-type.ts";
import { nameFromApi } from "../../../../../dns/wire/name.ts";
import type { RecordRow } from "../../../../../storage/tables/records.ts";
import type { ZoneRow } from "../../../../../storage/tables/zones.ts";
import { recordState } from "../../../../../sync/state.ts";

/** Returns the octets of the reply with all answers of a record and only OPT in the additional section. */
export function replyOctets(zone: ZoneRow, record: RecordRow, { code }: RecordType): number {
  const image = ImageWriter.create();
  image.putZone({ ...zone, disabled: false }, zone.serial);
  image.putRecord({ ...recordState(record), filters: [] });
  image.commit();
  const surroundings = { live: noFeeds, atlas: emptyAtlas, locate: locateNobody, seed: 0 };
  const questioner = new Questioner(image.share(), surroundings);
  const sender = { family: 4, address: new Uint8Array(16) } as const;
  return questioner.ask({ name: nameFromApi(record.domain), type: code, sender }, false).octets;
}
