/** A zone as a zone file, names in canonical order (RFC 4034 section 6.1), the SOA record first. */
import { soaRdata } from "../../answer/image/soa.ts";
import { compareNames, type Name, nameFromApi } from "../../dns/name.ts";
import { type RecordType, rdataFromApi, typeNamed, types } from "../../dns/types.ts";
import { printRecord } from "../../dns/zonefile/print.ts";
import { opensRecord } from "../access/permit.ts";
import type { Ctx } from "../context.ts";
import { answeredRecords } from "../records/links.ts";
import { beforeAll, type ListedRecord, listSummaries } from "../records/store.ts";
import { renamed } from "../zones/present.ts";
import { findZone, type ZoneRow } from "../zones/store.ts";
import { Slices } from "./pause.ts";

const pageSize = 2000;

/** The text of one owner's records of one type. */
interface Block {
  readonly owner: Name;
  readonly code: number;
  readonly text: string;
}

/**
 * Records that the caller may not see are left out, as in listings. A linked zone has the records of its target, and a
 * linked record has what its target has.
 */
export async function printZone(ctx: Ctx, zone: ZoneRow): Promise<string> {
  const { db, account_id, caller } = ctx;
  const source = (zone.link !== null && (await findZone(db, account_id, zone.link))) || zone;
  const slices = new Slices();
  const blocks: Block[] = [];
  const left: string[] = [];
  for (let after = beforeAll; ; ) {
    const page = await listSummaries(db, account_id, source.id, after, pageSize);
    const answered = await answeredRecords(ctx, page);
    for (const listed of page) {
      if (!opensRecord(caller.grant, source.zone, listed.domain, listed.type)) continue;
      const domain = renamed(listed.domain, source.zone, zone.zone);
      const type = typeNamed(listed.type);
      const record = answered.get(listed);
      if (type?.served === "as-is" && record) blocks.push(blockOf({ ...record, domain }, type));
      else left.push(`; left out: ${domain} ${listed.type}\n`);
    }
    await slices.pause();
    if (page.length < pageSize) break;
    after = page.at(-1)!;
  }
  blocks.sort((a, b) => compareNames(a.owner, b.owner) || a.code - b.code);
  return [`; zone ${zone.zone}\n`, ...left, soaOf(zone.zone, source), ...blocks.map(({ text }) => text)].join("");
}

function blockOf({ domain, ttl, answers }: ListedRecord, type: RecordType): Block {
  const owner = nameFromApi(domain);
  const lines = answers.map(({ answer }) => printRecord({ owner, ttl, type, rdata: rdataFromApi(type, answer) }));
  return { owner, code: type.code, text: lines.join("") };
}

const soaOf = (owner: string, zone: ZoneRow): string =>
  printRecord({ owner: nameFromApi(owner), ttl: zone.ttl, type: types.SOA, rdata: soaRdata(zone, zone.serial) });
