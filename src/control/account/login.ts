/** What tells login names apart: over all accounts, whatever their letters' case and the way in which they are written. */

/** Two names that look alike in this way are one. */
export const loginOf = (username: string): string => username.normalize("NFKC").toLowerCase();
