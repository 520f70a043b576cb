/** Previews the contents of a zone transfer to other servers. */
import { Type } from "typebox";
import { flatten, flatteningOf } from "../../answer/reply/flatten.ts";
import { printRecord } from "../../dns/reply.ts";
import { Reply } from "../../http/route/route.ts";
import type { RecordRow } from "../../storage/tables/records.ts";
import { reachesAll, reachesRecord } from "../access/access.ts";
import { openPage, printCursor, scanCursor, shownPage } from "../kit/listing.ts";
import { route } from "../write/route.ts";
import { listPart } from "../zones/model/record/store.ts";
import { getZone } from "../zones/model/zone/find.ts";
import { sourceOf } from "../zones/model/zone/link.ts";
import { renamedInto } from "../zones/model/zone/present.ts";
import { answeredRecords } from "../zones/records/links.ts";

const page = 2500;
const right = "dns.view_zones";

const FlatRecord = Type.Object(
  {
    domain: Type.String(),
    type: Type.String(),
    flattening: Type.String({
      description:
        "`plain`: transferred unchanged. `unsteered`: all answers of a record with filters, or only the first if a name can have only one. `linked`: the answers of the record's link target. `left out`: the record has a type that other servers cannot answer, or its link target is not answered.",
    }),
    records: Type.Array(Type.String(), { description: "Lines of a zone file." }),
  },
  { $id: "TransferredRecord" },
);

export const transferRoutes = [
  route({
    method: "GET",
    path: "/v1/zones/:zone/transfer",
    tag: "Zones",
    summary: "Preview a zone transfer",
    desc: "For each record of the zone, the resource records that a transfer to secondaries contains, without the SOA record. A linked zone has the records of its target under its own names.",
    right,
    target: ({ zone }) => ({ zone }),
    reply: Type.Array(FlatRecord),
    page,
    async run({ params, page }, ctx) {
      const { db, caller } = ctx;
      const asked = await getZone(ctx, params.zone);
      const source = await sourceOf(ctx, asked);
      if (!source) return new Reply([], {});
      const { access } = caller;
      const filtered = [asked, source].some(({ zone }) => !reachesAll(access, right, zone));
      const nameOf = (domain: string) => renamedInto(asked.zone, domain, source.zone);
      const [domain, type] = scanCursor(page.after);
      const found = await openPage<RecordRow>(
        page.limit,
        ({ domain, type }) => {
          const name = nameOf(domain);
          if (name === undefined) return false;
          const isOpen = reachesRecord(access, right, source.zone, domain, type);
          return !filtered || (isOpen && reachesRecord(access, right, asked.zone, name, type));
        },
        (after, count) => listPart(db, source, after ?? { domain, type }, count),
      );
      const answered = await answeredRecords(ctx, right, found.items);
      const { shown, last } = await shownPage(found, (row) => flatRecord(row, answered.get(row), nameOf(row.domain)!));
      return new Reply(shown, { next: last && printCursor(last.domain, last.type) });
    },
  }),
];

function flatRecord({ type, link }: RecordRow, answered: RecordRow | undefined, domain: string) {
  if (!answered) return { domain, type, flattening: "left out", records: [] };
  const flattening = flatteningOf(answered);
  const isLinked = link !== null && flattening !== "left out";
  return {
    domain,
    type,
    flattening: isLinked ? "linked" : flattening,
    records: flatten({ ...answered, domain }).map(printRecord),
  };
}
