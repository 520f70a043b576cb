/** The few reasons for which a statement may see the rows of all accounts; each such statement names its own. */
import { type RawBuilder, sql } from "kysely";

export const reasons = {
  order: "the changes of all accounts are one stream, which is numbered, looked at and trimmed as one",
  schedule: "what is due, or was left by a process that has ended, is found first, and its account with it",
  age: "what is too old goes, whosesoever it is",
  address: "an e-mail address is all that somebody knows who is nobody's caller yet",
  operator: "a command of the operator, or a start, looks at the installation",
} as const;

export type Reason = keyof typeof reasons;

/** A comment for the text of a statement. */
export const acrossAccounts = (reason: Reason) => `/* across accounts: ${reason} */`;

/** The same for the end of a query: `.modifyEnd(across("age"))`. */
export const across = (reason: Reason): RawBuilder<unknown> => sql.raw(acrossAccounts(reason));

export const saysWhy = (text: string): boolean => {
  const reason = /\/\* across accounts: (\w+) \*\//.exec(text)?.[1];
  return reason !== undefined && Object.hasOwn(reasons, reason);
};
