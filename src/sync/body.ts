/** The changes of one change set as text, for storage and transport: inline, or a reference to a stored load. */
import { createHash } from "node:crypto";
import { type Change, changeFormat, type LoadReference } from "./change.ts";
import { StreamBroken } from "./subscription.ts";

export type Body =
  | { readonly kind: "inline"; readonly changes: readonly Change[] }
  | { readonly kind: "load"; readonly load: LoadReference };

/** The value whose JSON is the text. */
export const changesIn = (changes: readonly Change[]) => ({ format: changeFormat, changes });

export const composeChanges = (changes: readonly Change[]): string => JSON.stringify(changesIn(changes));

export const composeReference = (load: LoadReference) => JSON.stringify({ format: changeFormat, load });

/** Throws when the text was written in a format that this version does not know. */
export function parseBody(text: string): Body {
  const { format, changes, load } = JSON.parse(text);
  if (format !== changeFormat) {
    throw new Error(`a change in format ${format} was received; this version reads format ${changeFormat}`);
  }
  return load === undefined ? { kind: "inline", changes } : { kind: "load", load };
}

/** The reference to a load, with the checksum that a follower verifies. */
export const refer = (id: string, text: string): LoadReference => ({
  id,
  checksum: createHash("sha256").update(text).digest("hex"),
  octets: Buffer.byteLength(text),
});

/** The changes of a fetched load. Throws when the text does not match the reference. */
export function openLoad(reference: LoadReference, text: string): readonly Change[] {
  const found = refer(reference.id, text);
  if (found.checksum !== reference.checksum || found.octets !== reference.octets) {
    throw new StreamBroken(`load ${reference.id} is damaged: its checksum is not the one that was announced`);
  }
  const body = parseBody(text);
  if (body.kind !== "inline") throw new Error(`load ${reference.id} refers to another load`);
  return body.changes;
}
