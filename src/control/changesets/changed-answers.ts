/** Compares, by country, the answers of a record before and after a change. */
import { locateNobody } from "../../answer/chain/unknown.ts";
import type { Locate } from "../../answer/filters/contract/client.ts";
import { ImageWriter } from "../../answer/image/writer/writer.ts";
import { LiveReader } from "../../answer/live/reader.ts";
import { LiveTable } from "../../answer/live/table.ts";
import { countries } from "../../answer/model/places.ts";
import { Questioner } from "../../answer/reply/question.ts";
import { typeNamed } from "../../dns/type-names.ts";
import { nameFromApi } from "../../dns/wire/name.ts";
import { atlas } from "../../geo/facts/atlas.ts";
import { LongWork } from "../../lib/fair/yield.ts";
import type { RecordRow } from "../../storage/tables/records.ts";
import type { ZoneRow } from "../../storage/tables/zones.ts";
import { recordState } from "../../sync/state.ts";
import { findValues } from "../steering/excerpt/store.ts";
import { locatedAt } from "../steering/explain/client.ts";
import { rdataOf } from "../steering/explain/present.ts";
import type { Ctx } from "../write/context.ts";
import { answeredRecords } from "../zones/records/links.ts";
import type { ChangedAnswer } from "./schema.ts";

/** Queries per country, because a chain may choose at random. Both sides draw the same random numbers. */
const draws = 20;
const anyClient = { family: 4, address: new Uint8Array(16) } as const;

type Shares = ReadonlyMap<string, { readonly answer: string[]; count: number }>;

/** Yields the answers whose share differs, country by country, computed as they are consumed. */
export async function* changedAnswers(
  ctx: Ctx,
  zone: ZoneRow,
  before: RecordRow | undefined,
  after: RecordRow | undefined,
): AsyncGenerator<readonly ChangedAnswer[]> {
  const { domain, type } = (before ?? after)!;
  const [old, now] = [await sideOf(ctx, zone, before), await sideOf(ctx, zone, after)];
  const work = new LongWork();
  for (const country of countries()) {
    await work.giveWay();
    const changed: ChangedAnswer[] = [];
    const [then, next] = [old(country), now(country)];
    for (const [key, { answer }] of new Map([...then, ...next])) {
      const [was, is] = [then.get(key)?.count ?? 0, next.get(key)?.count ?? 0];
      if (was !== is) changed.push({ domain, type, country, answer, before: was / draws, after: is / draws });
    }
    yield changed;
  }
}

/** Returns the answers of the record (if it is linked, of its target) in a country, with the current values of feeds. */
async function sideOf(ctx: Ctx, zone: ZoneRow, side: RecordRow | undefined): Promise<(country: string) => Shares> {
  const row = side && (await answeredRecords(ctx, "dns.manage_zones", [side])).get(side);
  const type = row && typeNamed(row.type);
  if (!row || !type) return () => new Map();
  const table = new LiveTable();
  const feeds = row.feeds.map(({ feed }) => feed);
  table.put(await findValues(ctx.db, ctx.account_id, feeds));
  const live = new LiveReader(table.share());
  live.now = ctx.now * 1000;
  const image = ImageWriter.create();
  image.putZone({ ...zone, disabled: false }, zone.serial);
  image.putRecord({ ...recordState(row), zone_id: zone.id });
  image.commit();
  let locate: Locate = locateNobody;
  const questioner = new Questioner(image.share(), {
    ...{ live, atlas, seed: 0 },
    locate: (octets, offset, length) => locate(octets, offset, length),
  });
  const question = { name: nameFromApi(row.domain), type: type.code, sender: anyClient };
  return (country) => {
    locate = locatedAt({ country });
    questioner.seed(1);
    const shares = new Map<string, { readonly answer: string[]; count: number }>();
    for (let i = 0; i < draws; i++) {
      const answer = rdataOf(questioner.ask(question, false));
      const key = answer.join("\n");
      const known = shares.get(key);
      if (known) known.count++;
      else shares.set(key, { answer, count: 1 });
    }
    return shares;
  };
}
