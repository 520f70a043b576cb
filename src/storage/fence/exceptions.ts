/** The reasons for which a statement may see the rows of all accounts; such a statement names its reason in a comment. */
import { type RawBuilder, sql } from "kysely";

export const reasons = {
  order: "the changes of all accounts are one stream, which is numbered, read and trimmed as a whole",
  schedule: "due work, or work that an ended process left, is found first, and its account with it",
  age: "expired rows of all accounts are removed together",
  address: "a person who is not signed in is known by an e-mail address only",
  operator: "a command or call of the operator, or the start of a process, works on the whole installation",
} as const;

export type Reason = keyof typeof reasons;

/** Returns the comment for the text of a statement. */
export const acrossAccounts = (reason: Reason) => `/* across accounts: ${reason} */`;

/** Returns the comment for the end of a query: `.modifyEnd(across("age"))`. */
export const across = (reason: Reason): RawBuilder<unknown> => sql.raw(acrossAccounts(reason));

export const saysWhy = (text: string): boolean => {
  const reason = /\/\* across accounts: (\w+) \*\//.exec(text)?.[1];
  return reason !== undefined && Object.hasOwn(reasons, reason);
};
