/** The route that explains an answer: the engine's own answer to a question, with everything that decided it. */

import type { Locate } from "../../../answer/filters/contract/client.ts";
import { apiName } from "../../../dns/wire/name.ts";
import { printedAs } from "../../../http/route/reply.ts";
import { routeFor } from "../../../http/route/route.ts";
import { invalid } from "../../../lib/problem.ts";
import type { Right } from "../../access/rights.ts";
import type { Ctx } from "../../write/context.ts";
import { readType } from "../../zones/model/record/rules.ts";
import { assertPlace, readAsker } from "./client.ts";
import { readAssumed, readDraft } from "./draft.ts";
import type { ExplainOrder } from "./explain.ts";
import { ExplainBody, Explanation } from "./schema.ts";
import type { Simulations } from "./simulations.ts";

export interface ExplainServices {
  /** Locates a DNS client by the operator's geo files. */
  readonly locate: Locate;
  readonly simulations: Simulations;
}

const route = routeFor<Right, Ctx & ExplainServices>();

/** The most octets of a body: a draft with one record that has large lists. */
export const explainOctets = 1024 * 1024;
export const mostMatrixDraws = 100;

export const explainRoutes = [
  route({
    method: "POST",
    path: "/v1/explain",
    tag: "Explain",
    summary: "Explain an answer",
    desc: "Answers a question with the same functions as the DNS server, from the current data in the store, and shows each step. Records of a draft and assumed values of feeds may be laid over the data. Changes nothing.",
    right: "dns.view_zones",
    ownTransaction: true,
    body: ExplainBody,
    mostBody: explainOctets,
    mostKeys: 50_000,
    reply: Explanation,
    async run({ body }, ctx) {
      const question = readQuestion(ctx, body);
      const assumed = readAssumed(ctx.caller, body.feeds ?? {});
      const text = await ctx.simulations.run(ctx, body.editor ?? undefined, async () => {
        return { ...question, assumed, draft: await readDraft(ctx, body.records ?? []) };
      });
      return printedAs<Explanation>(text);
    },
  }),
];

type AskedQuestion = Omit<ExplainOrder, "draft" | "assumed">;

/** Throws for a question that makes no sense. */
function readQuestion({ locate, now }: Ctx & ExplainServices, body: ExplainBody): AskedQuestion {
  const name = apiName(body.name);
  const type = readType(body.type ?? "A").name;
  const asker = readAsker(body, locate);
  const [draws, matrix, location] = [body.draws ?? undefined, body.matrix ?? false, body.location ?? null];
  if (matrix && (draws ?? 1) > mostMatrixDraws) {
    throw invalid(`draws: at most ${mostMatrixDraws} with matrix`, { field: "draws" });
  }
  if (location) assertPlace(location);
  return { name, type, asker, location, time: (body.time ?? now) * 1000, seed: body.seed ?? 1, draws, matrix };
}
