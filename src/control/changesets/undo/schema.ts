/** The reply that undoes a change. */
import { type Static, Type } from "typebox";
import { names } from "../../kit/schema.ts";
import { RecordWriteBody } from "../../zones/model/record/schema.ts";
import { Expectation, ZoneWrite } from "../schema.ts";

export const Undo = Type.Object(
  {
    id: Type.String(),
    change_set: Type.Object(
      { zones: Type.Array(ZoneWrite), records: Type.Array(RecordWriteBody), expect: Type.Array(Expectation) },
      { description: "A body of `PUT /v1/changesets` that brings zones and records back to their state before." },
    ),
    undelete: names(
      "Zones that the change deleted. `POST /v1/deletedzones/:zone/undelete` brings each back with its records.",
    ),
    left_out: names("What cannot be undone in this way, as text for people."),
  },
  { $id: "Undo" },
);
export type Undo = Static<typeof Undo>;
