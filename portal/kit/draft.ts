/**
 * The draft: edits of records that are not applied yet. It follows through all pages, is reviewed on the page of changes,
 * and is applied as one change set. It is kept in this tab.
 */
import { useMemo } from "react";
import type { ChangeSetBody } from "../api/types.ts";
import { useKept } from "./kept.ts";

/** One edit, in the shape that a change set takes. */
export type Edit = NonNullable<ChangeSetBody["records"]>[number];

export interface Draft {
  readonly edits: readonly Edit[];
  /** Adds edits; each takes the place of an earlier one of the same record. */
  add(...added: readonly Edit[]): void;
  /** The edit of a record, if the draft has one. */
  find(zone: string, domain: string, type: string): Edit | undefined;
  drop(...dropped: readonly Edit[]): void;
  clear(): void;
}

const keyOf = ({ zone, domain, type }: Pick<Edit, "zone" | "domain" | "type">) => `${zone}/${domain}/${type}`;

export function useDraft(): Draft {
  const [edits, setEdits] = useKept<readonly Edit[]>("draft", []);
  return useMemo(() => {
    const without = (some: readonly Edit[]) => {
      const keys = new Set(some.map(keyOf));
      return edits.filter((edit) => !keys.has(keyOf(edit)));
    };
    return {
      edits,
      add: (...added) => setEdits([...without(added), ...added]),
      find: (zone, domain, type) => edits.find((edit) => keyOf(edit) === keyOf({ zone, domain, type })),
      drop: (...dropped) => setEdits(without(dropped)),
      clear: () => setEdits([]),
    };
  }, [edits, setEdits]);
}
