/**
 * Secrets in the store: a keyed hash for look-up, and an authenticated envelope.
 * The master key is in a file outside the store; all secret columns use this file's functions.
 */
import { createCipheriv, createDecipheriv, createHmac, createSecretKey, hkdfSync, randomBytes } from "node:crypto";
import { accessSync, existsSync, linkSync, readFileSync, rmSync } from "node:fs";
import { dirname } from "node:path";
import { isThere, syncDirectory, writeUnfinished, writeWhole } from "./files.ts";
import { invalid, Problem } from "./problem.ts";

export interface Secrets {
  /** The id of the key that `seal` uses; envelopes contain it. */
  readonly keyId: string;
  /** Whether envelopes sealed with a key can be opened. */
  has(keyId: string): boolean;
  /** Returns an HMAC-SHA-256 for look-up by equality, 64 hex digits; irreversible, and specific to the installation. */
  hash(text: string): string;
  /** Makes an AES-256-GCM envelope `v1.<key id>.<iv>.<ciphertext and tag>`; `context` binds it to column and row. */
  seal(text: string, context: string): string;
  /** Throws a Problem when the envelope has an unknown key or another context, or was altered. */
  open(envelope: string, context: string): string;
}

const envelope = /^v1\.([0-9a-f]{8})\.([\w-]{16})\.([\w-]{22,})$/;

/** Whether a text has the form of an envelope. */
export const isSealed = (text: string) => envelope.test(text);

/** Returns the id of the master key that sealed an envelope; undefined for other text. */
export const sealedBy = (text: string) => envelope.exec(text)?.[1];

/** Returns the id of a master key, which its envelopes contain. */
export const masterKeyId = (masterKey: Uint8Array) => derive(masterKey).id;

/** Seals with the first master key; the other keys still open their envelopes (rotation). */
export function secretsFrom(masterKeys: readonly Uint8Array[]): Secrets {
  const rings = masterKeys.map(derive);
  const current = rings[0];
  if (!current) throw new Problem("internal", "no master key");
  return {
    keyId: current.id,
    has: (keyId) => rings.some((ring) => ring.id === keyId),
    hash: (text) => createHmac("sha256", current.lookup).update(text).digest("hex"),
    seal(text, context) {
      const iv = randomBytes(12);
      const cipher = createCipheriv("aes-256-gcm", current.sealing, iv).setAAD(Buffer.from(context));
      const sealed = Buffer.concat([cipher.update(text, "utf8"), cipher.final(), cipher.getAuthTag()]);
      return ["v1", current.id, iv.toString("base64url"), sealed.toString("base64url")].join(".");
    },
    open(text, context) {
      const [, id, iv, sealed] = envelope.exec(text) ?? [];
      if (!id || !iv || !sealed) throw new Problem("internal", "a stored secret is not an envelope of this version");
      const ring = rings.find((candidate) => candidate.id === id);
      if (!ring) {
        throw new Problem("internal", `a stored secret was sealed with a master key that is missing (key id ${id})`);
      }
      return openWith(ring.sealing, Buffer.from(iv, "base64url"), Buffer.from(sealed, "base64url"), context);
    },
  };
}

const tagLength = 16;

function openWith(key: Buffer, iv: Buffer, sealed: Buffer, context: string): string {
  const decipher = createDecipheriv("aes-256-gcm", key, iv, { authTagLength: tagLength })
    .setAAD(Buffer.from(context))
    .setAuthTag(sealed.subarray(-tagLength));
  try {
    return Buffer.concat([decipher.update(sealed.subarray(0, -tagLength)), decipher.final()]).toString("utf8");
  } catch {
    throw new Problem("internal", "a stored secret was altered, or belongs to another row");
  }
}

function derive(master: Uint8Array) {
  const part = (info: string, length: number) => Buffer.from(hkdfSync("sha256", master, "fairlead", info, length));
  return {
    id: part("id", 4).toString("hex"),
    lookup: createSecretKey(part("lookup", 32)),
    sealing: part("sealing", 32),
  };
}

/** Reads the master keys from a file, the newest first; creates a missing file (mode 0600). */
export function masterKeys(file: string): Uint8Array[] {
  if (!existsSync(file)) makeMasterKeys(file, [newMasterKey()]);
  return readMasterKeys(file);
}

export const newMasterKey = (): Uint8Array => randomBytes(32);

/** Reads the master keys from a file: each is a line in base64url. Throws a Problem with the file's name. */
export function readMasterKeys(file: string): Uint8Array[] {
  if (!isThere(file)) throw invalid(`master key file ${file}: the file does not exist`);
  const lines = named(file, () => readFileSync(file, "utf8"))
    .split("\n")
    .map((line) => line.trim())
    .filter((line) => line !== "");
  if (lines.length === 0 || lines.some((line) => !/^[\w-]{43}$/.test(line))) {
    throw invalid(
      `master key file ${file}: each line must be 32 octets in base64url, and at least one line is required`,
    );
  }
  return lines.map((line) => Buffer.from(line, "base64url"));
}

/** Throws a Problem when the file could not be made, because its directory does not exist. */
export function assertPlaceOf(file: string): void {
  named(file, () => accessSync(dirname(file)));
}

/** Adds a new first key to a file. It seals from the next start on; the older keys still open their envelopes. */
export function addMasterKey(file: string): void {
  const keys = [newMasterKey(), ...readMasterKeys(file)];
  named(file, () => writeWhole(file, printKeys(keys)));
}

/** Creates the file, unless another process creates it first. */
export function makeMasterKeys(file: string, keys: readonly Uint8Array[]): void {
  const unfinished = `${file}.${process.pid}`;
  named(file, () => writeUnfinished(unfinished, printKeys(keys)));
  try {
    linkSync(unfinished, file);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "EEXIST") throw error;
  } finally {
    rmSync(unfinished);
  }
  syncDirectory(dirname(file));
}

const printKeys = (keys: readonly Uint8Array[]) =>
  keys.map((key) => `${Buffer.from(key).toString("base64url")}\n`).join("");

function named<T>(file: string, use: () => T): T {
  try {
    return use();
  } catch (error) {
    const code = error instanceof Error && "code" in error ? error.code : error;
    throw invalid(
      `master key file ${file}: ${code === "ENOENT" ? "its directory does not exist" : `cannot be used (${code})`}`,
    );
  }
}
