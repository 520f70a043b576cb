/** The schema of the guard against deletions, as an account and its keys set it. */
import { Type } from "typebox";
import type { GuardScope } from "../../../storage/tables/accounts.ts";

const scopes: readonly GuardScope[] = ["off", "many", "single"];

export const guardScope = (description: string) =>
  Type.Unsafe<GuardScope>({
    type: "string",
    // not an enum: null resets the field
    pattern: `^(${scopes.join("|")})$`,
    description:
      "The requests that need a confirmation to delete a large share of a zone or account: `off`: none; `many`: those that " +
      `delete several things; \`single\`: also those that delete one. ${description}`,
  });
