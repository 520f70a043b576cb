/** Sends all records of a zone to edges: plain ones in parts, all others as steps of the change. */
import { isSteered } from "../../../answer/model/steering-settings.ts";
import { rdataFromApi } from "../../../dns/rdata/codec.ts";
import { typeNamed } from "../../../dns/type-names.ts";
import { nameFromApi } from "../../../dns/wire/name.ts";
import { newId } from "../../../lib/ids.ts";
import type { RecordRow } from "../../../storage/tables/records.ts";
import type { ZoneRow } from "../../../storage/tables/zones.ts";
import type { Change } from "../../../sync/change.ts";
import { PartWriter, type PlainRecord, partsHash } from "../../../sync/contents.ts";
import { recordState } from "../../../sync/state.ts";
import type { Ctx } from "../../write/context.ts";
import { isSingle } from "../model/record/rules.ts";
import { insertPart } from "../model/record/store.ts";

const mostRecords = 5000;
const mostOctets = 256 * 1024;

/** Adds the records, read page by page, to this transaction's change; edges replace the zone's contents with them. */
export async function addContents(
  { db, changes }: Ctx,
  { id, zone }: ZoneRow,
  pages: AsyncIterable<readonly RecordRow[]>,
): Promise<void> {
  const load_id = newId();
  const part = new PartWriter();
  const hash = partsHash();
  const steps: Change[] = [];
  let parts = 0;
  let records = 0;
  const flush = async () => {
    const body = part.take();
    hash.update(body);
    await insertPart(db, { load_id, part: parts++, body });
  };
  for await (const rows of pages) {
    for (const row of rows) {
      const plain = plainOf(row);
      if (!plain) {
        steps.push({ kind: "record", record: recordState(row) });
        continue;
      }
      part.add(plain);
      records++;
      if (part.records >= mostRecords || part.length >= mostOctets) await flush();
    }
  }
  if (part.records > 0) await flush();
  const load = { id: load_id, parts, records, checksum: hash.digest("hex") };
  changes.add(id, [{ kind: "contents", zone_id: id, zone, load }, ...steps]);
}

/** Undefined for a record that parts cannot hold: it is steered, has no answers, or has a type that is not served as it is. */
function plainOf({ domain, type: name, ttl, answers, filters }: RecordRow): PlainRecord | undefined {
  const type = typeNamed(name);
  if (type?.served !== "as-is" || isSteered(filters) || answers.length === 0) return undefined;
  const rdata = new Map(
    answers.map(({ answer }) => {
      const octets = rdataFromApi(type, answer);
      return [Buffer.from(octets).toString("latin1"), octets];
    }),
  );
  if (isSingle(type) && rdata.size > 1) return undefined;
  return { owner: nameFromApi(domain), type: type.code, ttl, rdata: [...rdata.values()] };
}
