/** How the changes of one change set are kept and carried as text: inline, or by reference to a stored load. */
import { createHash } from "node:crypto";
import { type Change, changeFormat, contentsFormat, type LoadReference, linkedFormat } from "./change.ts";
import { StreamBroken } from "./subscription.ts";

export type Body =
  | { readonly kind: "inline"; readonly changes: readonly Change[] }
  | { readonly kind: "load"; readonly load: LoadReference };

export const composeChanges = (changes: readonly Change[]) => JSON.stringify({ format: formatOf(changes), changes });

/** The oldest in which nothing of it is lost. */
function formatOf(changes: readonly Change[]): number {
  if (changes.some((change) => change.kind === "record" && change.record.link)) return linkedFormat;
  return changes.some(({ kind }) => kind === "contents") ? contentsFormat : changeFormat;
}

export const composeReference = (load: LoadReference) => JSON.stringify({ format: changeFormat, load });

const formats: ReadonlySet<number> = new Set([changeFormat, contentsFormat, linkedFormat]);

/** Throws when the text was written in a format that this version does not know. */
export function parseBody(text: string): Body {
  const { format, changes, load } = JSON.parse(text);
  if (!formats.has(format)) {
    throw new Error(`a change in format ${format} was received; this version reads up to format ${linkedFormat}`);
  }
  return load === undefined ? { kind: "inline", changes } : { kind: "load", load };
}

/** The reference to a load: its checksum is what a follower verifies. */
export const refer = (id: string, text: string): LoadReference => ({
  id,
  checksum: createHash("sha256").update(text).digest("hex"),
  octets: Buffer.byteLength(text),
});

/** The changes of a fetched load. Throws when the text is not what the reference promised. */
export function openLoad(reference: LoadReference, text: string): readonly Change[] {
  const found = refer(reference.id, text);
  if (found.checksum !== reference.checksum || found.octets !== reference.octets) {
    throw new StreamBroken(`load ${reference.id} is damaged: its checksum is not the one that was announced`);
  }
  const body = parseBody(text);
  if (body.kind !== "inline") throw new Error(`load ${reference.id} refers to another load`);
  return body.changes;
}
