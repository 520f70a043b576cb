/** The bodies and replies of drafts. */
import { type Static, Type } from "typebox";
import { names } from "../../kit/schema.ts";
import { RecordWriteBody } from "../../zones/model/record/schema.ts";
import { ChangeSetBody, Expectation, ZoneWrite } from "../schema.ts";

/** Days after its last change for which a draft is kept. */
export const draftDays = 30;
/** Zones that a listing names of a draft. */
export const zonesShown = 10;

const head = {
  id: Type.String(),
  name: Type.String(),
  zone_names: names(`The zones of the draft in order of their names; at most ${zonesShown}.`),
  writes: Type.Integer({ description: "The number of writes of zones and records." }),
  created_at: Type.Integer(),
  updated_at: Type.Integer(),
  expires_at: Type.Integer({
    description: `The time at which the draft is removed: ${draftDays} days after its last change.`,
  }),
};

/** A draft in a listing. */
export const DraftHead = Type.Object(head, { $id: "DraftHead" });
export type DraftHead = Static<typeof DraftHead>;

/** The writes of a draft: a body of `PUT /v1/changesets`. */
const content = { zones: Type.Array(ZoneWrite), records: Type.Array(RecordWriteBody), expect: Type.Array(Expectation) };
const DraftContent = Type.Object(content);
export type DraftContent = Static<typeof DraftContent>;

export const Draft = Type.Object({ ...head, ...content }, { $id: "Draft" });
export type Draft = Static<typeof Draft>;

const name = Type.String({ minLength: 1, maxLength: 255, description: "Any text." });
const examples = [
  {
    name: "Move the mail",
    records: [{ action: "put", zone: "example.com", domain: "example.com", type: "MX", answers: [] }],
    expect: [{ zone: "example.com", serial: 1767225600 }],
  },
];

export const NewDraftBody = Type.Object({ name, ...ChangeSetBody.properties }, { $id: "NewDraftBody", examples });
export type NewDraftBody = Static<typeof NewDraftBody>;

export const DraftBody = Type.Object(
  { name: Type.Optional(name), ...ChangeSetBody.properties },
  { $id: "DraftBody", examples },
);
export type DraftBody = Static<typeof DraftBody>;
