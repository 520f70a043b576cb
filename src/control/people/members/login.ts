/** Login names: which there may be, and what tells them apart over all accounts. */
import { conflict, invalid } from "../../../lib/problem.ts";

/** ASCII alone, so that no two of them look the same. */
const usernames = /^[A-Za-z0-9._@+-]{3,64}$/;

export const isUsername = (text: string): boolean => usernames.test(text);

export function assertUsername(username: string): void {
  if (isUsername(username)) return;
  throw invalid("username must have 3 to 64 characters, out of letters, digits and ._@+-", { field: "username" });
}

/** Two names that differ in the case of their letters are one. */
export const loginOf = (username: string): string => username.toLowerCase();

export const loginTaken = (username: string) => conflict("request failed:Login Name is already in use.", { username });
