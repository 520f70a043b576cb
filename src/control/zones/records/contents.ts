/** Sends all records of a zone to edges: plain ones in parts, all others as steps of the change. */
import { isSteered } from "../../../answer/model/steering-settings.ts";
import { rdataFromApi } from "../../../dns/rdata/codec.ts";
import { typeNamed } from "../../../dns/type-names.ts";
import { nameFromApi } from "../../../dns/wire/name.ts";
import { newId } from "../../../lib/ids.ts";
import type { RecordRow } from "../../../storage/tables/records.ts";
import type { ZoneRow } from "../../../storage/tables/zones.ts";
import type { Change } from "../../../sync/change.ts";
import { type ContentsReference, PartWriter, type PlainRecord, partsHash } from "../../../sync/contents.ts";
import { recordState } from "../../../sync/state.ts";
import type { Db } from "../../kit/store.ts";
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
  const contents = new ContentsWriter(db);
  const steps: Change[] = [];
  for await (const rows of pages) {
    for (const row of rows) if (!(await contents.add(row))) steps.push({ kind: "record", record: recordState(row) });
  }
  changes.add(id, [{ kind: "contents", zone_id: id, zone, load: await contents.end() }, ...steps]);
}

class ContentsWriter {
  readonly #db: Db;
  readonly #id = newId();
  readonly #part = new PartWriter();
  readonly #hash = partsHash();
  #parts = 0;
  #records = 0;

  /** `db` is the transaction of the change that will refer to the parts. */
  constructor(db: Db) {
    this.#db = db;
  }

  /** Adds a record. Returns false for one that parts cannot hold. */
  async add(row: RecordRow): Promise<boolean> {
    const plain = plainOf(row);
    if (!plain) return false;
    this.#part.add(plain);
    this.#records += 1;
    if (this.#part.records >= mostRecords || this.#part.length >= mostOctets) await this.#flush();
    return true;
  }

  async end(): Promise<ContentsReference> {
    if (this.#part.records > 0) await this.#flush();
    return { id: this.#id, parts: this.#parts, records: this.#records, checksum: this.#hash.digest("hex") };
  }

  async #flush(): Promise<void> {
    const body = this.#part.take();
    this.#hash.update(body);
    await insertPart(this.#db, { load_id: this.#id, part: this.#parts, body });
    this.#parts += 1;
  }
}

/** Undefined for a record that is steered or of a type that is not served as it is. */
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
