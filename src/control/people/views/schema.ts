/** The bodies and replies of saved views. */
import { type Static, Type } from "typebox";
import { anyObject } from "../../kit/schema.ts";

const name = Type.String({ minLength: 1, maxLength: 255, description: "Any text." });
const page = Type.String({ minLength: 1, maxLength: 64, description: "The page that the view is for, any text." });
const settings = anyObject("Whatever the page needs, kept as sent.");

export const View = Type.Object(
  { id: Type.String(), name, page, settings, created_at: Type.Integer(), updated_at: Type.Integer() },
  { $id: "View" },
);
export type View = Static<typeof View>;

const examples = [{ name: "Failing", page: "zones", settings: { filter: "status=error", sort: "-queries" } }];

export const NewViewBody = Type.Object({ name, page, settings }, { $id: "NewViewBody", examples });
export type NewViewBody = Static<typeof NewViewBody>;

export const ViewBody = Type.Object(
  { name: Type.Optional(name), page: Type.Optional(page), settings: Type.Optional(settings) },
  { $id: "ViewBody", examples },
);
export type ViewBody = Static<typeof ViewBody>;
