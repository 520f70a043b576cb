/** The records of a zone that is brought back, as parts for edges; what parts cannot hold is left to steps of its own. */
import { isSteered } from "../../answer/recipe.ts";
import { nameFromApi } from "../../dns/name.ts";
import { rdataFromApi, typeNamed } from "../../dns/types.ts";
import { newId } from "../../lib/ids.ts";
import { type ContentsReference, PartWriter, type PlainRecord, partsHash } from "../../sync/contents.ts";
import { isSingle } from "../records/rules.ts";
import type { RecordRow } from "../records/store.ts";
import type { Db } from "../store.ts";
import { insertPart } from "./store.ts";

const mostRecords = 5000;
const mostOctets = 256 * 1024;

export class ContentsWriter {
  readonly #db: Db;
  readonly #id = newId();
  readonly #part = new PartWriter();
  readonly #hash = partsHash();
  #parts = 0;
  #records = 0;

  /** For the transaction of the change that will refer to the parts. */
  constructor(db: Db) {
    this.#db = db;
  }

  /** False for a record that parts cannot hold. */
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

/** Undefined for what is steered, or answered in a way of its own. */
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
