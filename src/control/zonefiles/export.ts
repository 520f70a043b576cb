/** Exports a zone as a zone file: the SOA record first, then names in canonical order (RFC 4034 section 6.1). */
import { soaRdata } from "../../answer/image/rrset/soa.ts";
import { rdataFromApi } from "../../dns/rdata/codec.ts";
import type { RecordType } from "../../dns/rdata/record-type.ts";
import { typeNamed } from "../../dns/type-names.ts";
import { types } from "../../dns/types.ts";
import { nameFromApi } from "../../dns/wire/name.ts";
import { printEntry } from "../../dns/zonefile/print.ts";
import type { Content } from "../../lib/files/spool.ts";
import { bounded, inPieces } from "../../lib/files/spool.ts";
import { invalid, missing } from "../../lib/problem.ts";
import type { BulkConnection } from "../../storage/connection/bulk.ts";
import type { ZoneRow } from "../../storage/tables/zones.ts";
import { reachesRecord } from "../access/access.ts";
import type { Ctx } from "../write/context.ts";
import type { ListedRecord } from "../zones/model/record/store.ts";
import { renamedInto } from "../zones/model/zone/present.ts";
import { zoneNamed } from "../zones/model/zone/store.ts";
import { answeredRecords } from "../zones/records/links.ts";
import type { ZoneFileCtx } from "./jobs.ts";
import { fileLimits } from "./reading/limits.ts";
import { inOrder } from "./store.ts";

const right = "dns.view_zones";
const rowsAtOnce = 500;

/** The text of one owner's records of one type. */
interface Block {
  readonly code: number;
  readonly text: string;
}

/**
 * Exports a zone without the records that the caller may not see. A linked zone has the records of its target, and a
 * linked record has the answers of its target.
 */
export async function exportZone(ctx: ZoneFileCtx, zone: ZoneRow): Promise<Content> {
  const pieces = () => bounded(inPieces(printZone(ctx, zone)), fileLimits.exported, tooLarge);
  return await ctx.imports.export(ctx.account_id, pieces);
}

const tooLarge = (megabytes: number) => invalid(`the zone file has more than ${megabytes} MB`, { megabytes });

async function* printZone(ctx: ZoneFileCtx, { zone }: ZoneRow): AsyncGenerator<string> {
  const connection = await ctx.imports.store.openBulk();
  try {
    await connection.holdSnapshot();
    const source = await sourceOf(ctx, connection, zone);
    yield `; zone ${zone}\n${soaOf(zone, source)}`;
    const rows = connection.read<ListedRecord>(inOrder(ctx.account_id, source.id), rowsAtOnce);
    yield* printRecords(ctx, rows, source.zone, zone);
  } finally {
    connection.close();
  }
}

/** Returns the zone that has the records, in the connection's snapshot: the zone itself or its link target. */
async function sourceOf({ db, account_id }: Ctx, connection: BulkConnection, name: string): Promise<ZoneRow> {
  const find = async (zone: string) => {
    const { sql, parameters } = zoneNamed(db, account_id, zone).compile();
    return (await connection.rows<ZoneRow>(sql, parameters))[0];
  };
  const zone = await find(name);
  if (!zone) throw missing("zone not found", { zone: name });
  return (zone.link !== null && (await find(zone.link))) || zone;
}

/** Prints owner by owner in the order of the rows, and the types of each owner in the order of their codes. */
async function* printRecords(
  ctx: Ctx,
  pages: AsyncIterable<readonly ListedRecord[]>,
  source: string,
  zone: string,
): AsyncGenerator<string> {
  const { access } = ctx.caller;
  let owner = "";
  let blocks: Block[] = [];
  for await (const page of pages) {
    const answered = await answeredRecords(ctx, right, page);
    for (const listed of page) {
      const domain = renamedInto(zone, listed.domain, source);
      if (domain === undefined || !reachesRecord(access, right, source, listed.domain, listed.type)) continue;
      if (!reachesRecord(access, right, zone, domain, listed.type)) continue;
      if (listed.domain !== owner) {
        yield textOf(blocks);
        blocks = [];
        owner = listed.domain;
      }
      const type = typeNamed(listed.type);
      const record = answered.get(listed);
      if (type?.served === "as-is" && record) blocks.push(blockOf({ ...record, domain }, type));
      else yield `; left out: ${domain} ${listed.type}\n`;
    }
  }
  yield textOf(blocks);
}

const textOf = (blocks: readonly Block[]) =>
  blocks
    .toSorted((a, b) => a.code - b.code)
    .map(({ text }) => text)
    .join("");

function blockOf({ domain, ttl, answers }: ListedRecord, type: RecordType): Block {
  const owner = nameFromApi(domain);
  const lines = answers.map(({ answer }) => printEntry({ owner, ttl, type, rdata: rdataFromApi(type, answer) }));
  return { code: type.code, text: lines.join("") };
}

const soaOf = (owner: string, zone: ZoneRow): string =>
  printEntry({ owner: nameFromApi(owner), ttl: zone.ttl, type: types.SOA, rdata: soaRdata(zone, zone.serial) });
