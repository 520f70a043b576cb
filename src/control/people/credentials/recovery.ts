/** Recovery codes: each is accepted once in place of a lost second factor. */
import { hash, randomBytes } from "node:crypto";
import type { UserRef } from "./user-rows-store.ts";

const count = 10;
const length = 16;
/** Crockford's base 32, which omits letters that look like digits. */
const letters = "0123456789ABCDEFGHJKMNPQRSTVWXYZ";

/** 80 random bits each, in four groups of four. */
export const newRecoveryCodes = (): string[] =>
  Array.from({ length: count }, () =>
    Array.from(randomBytes(length), (octet) => letters[octet % letters.length])
      .join("")
      .replace(/(.{4})(?!$)/g, "$1-"),
  );

/** Ignores case and separators. A plain hash suffices for codes with this many random bits. */
export const recoveryHash = ({ account_id, id }: UserRef, code: string): string =>
  hash("sha256", `${account_id}:${id}:${normalized(code)}`);

/** Decides by the shape alone: no time-based code has this shape. */
export const isLikeRecoveryCode = (code: string): boolean => {
  const typed = normalized(code);
  return typed.length === length && [...typed].every((letter) => letters.includes(letter));
};

const normalized = (code: string) =>
  code
    .toUpperCase()
    .replace(/[^0-9A-Z]/g, "")
    .replace(/O/g, "0")
    .replace(/[IL]/g, "1");
