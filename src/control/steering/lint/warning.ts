/** The warnings of rules as the API shows them. */
import { type Static, Type } from "typebox";
import { rules } from "./rules/index.ts";

export const Warning = Type.Object({
  code: Type.Enum(rules.map(({ code }) => code)),
  domain: Type.String(),
  type: Type.String(),
  field: Type.String({ description: "The field of the record: `answers[0]`, `filters[2]`, `regions.eu`, `ttl`." }),
  message: Type.String(),
});
export type Warning = Static<typeof Warning>;
