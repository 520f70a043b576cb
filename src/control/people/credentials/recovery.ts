/** Recovery codes: what opens once each in place of a second factor that is lost. */
import { hash, randomBytes } from "node:crypto";
import type { UserRef } from "./token-store.ts";

const many = 10;
const length = 16;
/** Without letters and digits that look alike (Crockford's base 32). */
const letters = "0123456789ABCDEFGHJKMNPQRSTVWXYZ";

/** 80 random bits each, in four groups of four. */
export const newRecoveryCodes = (): string[] =>
  Array.from({ length: many }, () =>
    Array.from(randomBytes(length), (octet) => letters[octet % letters.length])
      .join("")
      .replace(/(.{4})(?!$)/g, "$1-"),
  );

/** However it is typed; of codes with this many bits a plain hash tells nothing. */
export const recoveryHash = ({ account_id, id }: UserRef, code: string): string =>
  hash("sha256", `${account_id}:${id}:${meant(code)}`);

/** By its shape alone, which no code by time has. */
export const isLikeRecoveryCode = (code: string): boolean => {
  const typed = meant(code);
  return typed.length === length && [...typed].every((letter) => letters.includes(letter));
};

const meant = (code: string) =>
  code
    .toUpperCase()
    .replace(/[^0-9A-Z]/g, "")
    .replace(/O/g, "0")
    .replace(/[IL]/g, "1");
