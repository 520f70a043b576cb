/** The list of edits that a draft has: one of each record. */
import type { Draft } from "../api/types.ts";

/** One edit, in the shape that a change set takes. */
export type Edit = Draft["records"][number];

type Of = Pick<Edit, "zone" | "domain" | "type">;

const keyOf = ({ zone, domain, type }: Of) => `${zone}/${domain}/${type}`;

export function findEdit(edits: readonly Edit[], of: Of): Edit | undefined {
  return edits.find((edit) => keyOf(edit) === keyOf(of));
}

export function withoutEdits(edits: readonly Edit[], dropped: readonly Edit[]): readonly Edit[] {
  const keys = new Set(dropped.map(keyOf));
  return edits.filter((edit) => !keys.has(keyOf(edit)));
}

/** Each added edit takes the place of an earlier one; a record that only the draft has is not deleted, but forgotten. */
export function withEdits(edits: readonly Edit[], added: readonly Edit[]): readonly Edit[] {
  const kept = added.filter((edit) => !(edit.action === "delete" && findEdit(edits, edit)?.action === "create"));
  return [...withoutEdits(edits, added), ...kept];
}
