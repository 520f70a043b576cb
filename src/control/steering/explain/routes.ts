/** Explains an answer: the engine's own answer to a question, with everything that decided it. */

import type { Locate } from "../../../answer/filters/contract/client.ts";
import { countries } from "../../../answer/model/places.ts";
import type { Question } from "../../../answer/reply/question.ts";
import { apiName, nameFromApi } from "../../../dns/wire/name.ts";
import { atlas } from "../../../geo/facts/atlas.ts";
import { routeFor } from "../../../http/route/route.ts";
import { invalid, missing } from "../../../lib/problem.ts";
import type { RecordRow } from "../../../storage/tables/records.ts";
import { assertReachesName } from "../../access/caller.ts";
import type { Right } from "../../access/rights.ts";
import type { Ctx } from "../../write/context.ts";
import { findZonesAbove } from "../../zones/model/record/link-store.ts";
import { readType } from "../../zones/model/record/rules.ts";
import { Excerpt } from "../excerpt/excerpt.ts";
import { type Warning, warningsOf } from "../lint/lint.ts";
import { Targets } from "../lint/rules/parts/targets.ts";
import { assertPlace, locatedAt, readClient, readSubnet } from "./client.ts";
import { Draws } from "./draws.ts";
import { recordsOf, sections, stepsOf } from "./present.ts";
import { type Counted, ExplainBody, Explanation } from "./schema.ts";
import { shownTo } from "./visible.ts";

export interface ExplainServices {
  /** Locates a DNS client by the operator's geo files. */
  readonly locate: Locate;
}

const route = routeFor<Right, Ctx & ExplainServices>();

export const explainRoutes = [
  route({
    method: "POST",
    path: "/v1/explain",
    tag: "Explain",
    summary: "Explain an answer",
    desc: "Answers a question with the same functions as the DNS server, from the current data in the store, and shows each step. Changes nothing.",
    right: "dns.view_zones",
    ownTransaction: true,
    body: ExplainBody,
    reply: Explanation,
    run: ({ body }, ctx) => explain(ctx, body),
  }),
];

export const mostMatrixDraws = 100;

async function explain(ctx: Ctx & ExplainServices, body: ExplainBody): Promise<Explanation> {
  const name = apiName(body.name);
  const type = readType(body.type ?? "A");
  const client = readClient(body.client);
  const subnet = body.subnet ? readSubnet(body.subnet) : undefined;
  const question: Question = { name: nameFromApi(name), type: type.code, sender: client.sender, subnet };
  if (body.matrix && (body.draws ?? 1) > mostMatrixDraws) {
    throw invalid(`draws: at most ${mostMatrixDraws} with matrix`, { field: "draws" });
  }
  const now = body.time == null ? ctx.now * 1000 : body.time * 1000;
  const seed = body.seed ?? 1;
  if (body.location) assertPlace(body.location);
  const locate = body.location ? locatedAt(body.location) : ctx.locate;
  await assertOwnName(ctx, name, type.name);
  const excerpt = new Excerpt(ctx, { locate, atlas, now });
  const asked = await excerpt.ask(question, seed);
  const draws = body.draws ?? undefined;
  const isShown = shownTo(ctx, excerpt);
  const drawn = new Draws(excerpt, isShown);
  const steps = stepsOf(ctx, excerpt, asked.steps, type.name, now);
  return {
    name,
    type: type.name,
    ...sections(asked, isShown),
    ecs: body.subnet ? { subnet: body.subnet, scope: asked.scope } : null,
    client: { address: client.text, subnet: body.subnet ?? null, location: body.location ?? null },
    steps,
    warnings: await warningsAbout(ctx, excerpt, recordsOf(ctx, excerpt, steps, type.name)),
    ...(draws === undefined ? {} : { draws: await drawn.count(question, draws) }),
    ...(body.matrix ? { matrix: await matrixOf(excerpt, drawn, question, draws ?? 1) } : {}),
  };
}

/** Throws unless the name is in a zone that the caller may see. A zone of another account is like none, in time as well. */
async function assertOwnName({ db, account_id, caller }: Ctx, domain: string, type: string): Promise<void> {
  const zoneOf = await findZonesAbove(db, account_id, [domain]);
  const zone = zoneOf(domain)?.zone;
  assertReachesName(caller, "dns.view_zones", { zone, domain, type });
  if (zone === undefined) throw missing("zone not found", { name: domain });
}

async function warningsAbout(ctx: Ctx, excerpt: Excerpt, records: readonly RecordRow[]): Promise<Warning[]> {
  const targets = new Targets(ctx);
  await targets.find(records);
  return records.flatMap((row) => {
    const zone = excerpt.zoneOf(row.domain);
    return zone ? warningsOf(zone, row, targets.missing) : [];
  });
}

/** Asks for the same client in every country, without a place inside the country. */
async function matrixOf(excerpt: Excerpt, drawn: Draws, question: Question, draws: number) {
  const matrix: Record<string, Counted[]> = {};
  for (const country of countries()) {
    excerpt.locate = locatedAt({ country });
    await excerpt.ask(question, 1);
    matrix[country] = await drawn.count(question, draws);
  }
  return matrix;
}
