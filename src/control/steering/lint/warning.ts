/** What a rule finds, and what the API says of it. */
import { type Static, Type } from "typebox";
import { rules } from "./rules/index.ts";

export const Warning = Type.Object({
  code: Type.Enum(rules.map(({ code }) => code)),
  domain: Type.String(),
  type: Type.String(),
  field: Type.String({ description: "The part of the record: `answers[0]`, `filters[2]`, `regions.eu`, `ttl`." }),
  message: Type.String(),
});
export type Warning = Static<typeof Warning>;
