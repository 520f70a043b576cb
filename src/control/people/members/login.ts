/** Login names, which are unique over all accounts: which are valid, and which count as the same. */
import { conflict, invalid } from "../../../lib/problem.ts";

/** ASCII only, so that no two names look alike. */
const usernames = /^[A-Za-z0-9._@+-]{3,64}$/;

export const isUsername = (text: string): boolean => usernames.test(text);

export function assertUsername(username: string): void {
  if (isUsername(username)) return;
  throw invalid("username must have 3 to 64 characters: letters, digits and ._@+-", { field: "username" });
}

/** Names that differ only in case count as the same. */
export const loginOf = (username: string): string => username.toLowerCase();

export const loginTaken = (username: string) => conflict("request failed:Login Name is already in use.", { username });
