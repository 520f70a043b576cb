/**
 * The secrets kit: a keyed hash for look-up and an authenticated envelope for storage.
 * The master key lives in a file outside the store; every secret column goes through here.
 */
import { createCipheriv, createDecipheriv, createHmac, hkdfSync, randomBytes, timingSafeEqual } from "node:crypto";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { Problem } from "./problem.ts";

export interface Secrets {
  /** Id of the key that `seal` uses, as found in envelopes. */
  readonly keyId: string;
  /** HMAC-SHA-256 for look-up by equality, 64 hex digits. Never reversible, differs by installation. */
  hash(text: string): string;
  /** AES-256-GCM envelope `v1.<key id>.<iv>.<ciphertext and tag>`; `context` binds it to its column and row. */
  seal(text: string, context: string): string;
  /** Throws a Problem when the envelope was made with a key that we do not have, or was altered. */
  open(envelope: string, context: string): string;
}

/** One master key; the first is for sealing, the others still open what they sealed (rotation). */
export function secretsFrom(masterKeys: readonly Uint8Array[]): Secrets {
  const rings = masterKeys.map(derive);
  const current = rings[0];
  if (!current) throw new Problem("internal", "no master key");
  return {
    keyId: current.id,
    hash: (text) => createHmac("sha256", current.lookup).update(text).digest("hex"),
    seal(text, context) {
      const iv = randomBytes(12);
      const cipher = createCipheriv("aes-256-gcm", current.sealing, iv).setAAD(Buffer.from(context));
      const sealed = Buffer.concat([cipher.update(text, "utf8"), cipher.final(), cipher.getAuthTag()]);
      return ["v1", current.id, iv.toString("base64url"), sealed.toString("base64url")].join(".");
    },
    open(envelope, context) {
      const [version, id, iv, sealed] = envelope.split(".");
      const ring = rings.find((candidate) => candidate.id === id);
      if (version !== "v1" || !ring || !iv || !sealed) {
        throw new Problem("internal", `a stored secret was sealed with a master key that is not here (key id ${id})`);
      }
      const octets = Buffer.from(sealed, "base64url");
      const decipher = createDecipheriv("aes-256-gcm", ring.sealing, Buffer.from(iv, "base64url"))
        .setAAD(Buffer.from(context))
        .setAuthTag(octets.subarray(-16));
      return Buffer.concat([decipher.update(octets.subarray(0, -16)), decipher.final()]).toString("utf8");
    },
  };
}

function derive(master: Uint8Array) {
  const part = (info: string, length: number) => Buffer.from(hkdfSync("sha256", master, "fairlead", info, length));
  return { id: part("id", 4).toString("hex"), lookup: part("lookup", 32), sealing: part("sealing", 32) };
}

/**
 * Reads the master keys of a file: one base64url line each, the newest first. Makes the file (mode 0600) when it is
 * not there. Throws a Problem that names the file when a line is not a 32-octet key.
 */
export function masterKeys(file: string): Uint8Array[] {
  if (!existsSync(file)) {
    writeFileSync(file, `${randomBytes(32).toString("base64url")}\n`, { mode: 0o600, flag: "wx" });
  }
  const keys = readFileSync(file, "utf8")
    .split("\n")
    .filter((line) => line.trim() !== "")
    .map((line) => Buffer.from(line.trim(), "base64url"));
  if (keys.length === 0 || keys.some((key) => key.length !== 32)) {
    throw new Problem("invalid", `master key file ${file}: each line must be 32 octets in base64url`);
  }
  return keys;
}

/** Equality of two strings in time that does not depend on where they differ. */
export function sameSecret(a: string, b: string): boolean {
  const [left, right] = [Buffer.from(a), Buffer.from(b)];
  return left.length === right.length && timingSafeEqual(left, right);
}
