/**
 * The draft: edits of records that are not applied yet. It follows through all pages, is reviewed on the page of changes,
 * and is applied as one change set. The service keeps it for the user, in every browser.
 */
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import type { ApiError } from "../api/client.ts";
import { type Edit, findEdit, withEdits, withoutEdits } from "./draft-edits.ts";
import { changeDraft, readDraft, type StoredDraft, type ZoneVersion } from "./stored-draft.ts";

export interface Draft {
  readonly edits: readonly Edit[];
  /** The zones of the edits, with the versions from which their edits began. */
  readonly began: readonly ZoneVersion[];
  /** Unix seconds until which the service keeps it. */
  readonly keptUntil: number | undefined;
  /** Adds edits; each takes the place of an earlier one of the same record. `onStored` is called when they are kept. */
  add(added: readonly Edit[], onStored?: () => void): void;
  /** The edit of a record, if the draft has one. */
  find(zone: string, domain: string, type: string): Edit | undefined;
  drop(dropped: readonly Edit[], onStored?: () => void): void;
  /** Whether the draft was read. */
  readonly isKnown: boolean;
  /** Whether a change of the draft is on its way. */
  readonly isPending: boolean;
  readonly error: ApiError | null;
  readonly reset: () => void;
}

type Change = (edits: readonly Edit[]) => readonly Edit[];

const key = ["draft"];
const none: readonly never[] = [];

/** Another tab or browser changed the draft, or applied it, in the middle of a change. */
const isOvertaken = ({ status }: ApiError) => status === 412 || status === 404;

export function useDraft(): Draft {
  const client = useQueryClient();
  const { data, error: unread } = useQuery<StoredDraft | null, ApiError>({
    queryKey: key,
    queryFn: ({ signal }) => readDraft(signal),
  });
  const { mutate, isPending, error, reset } = useMutation<StoredDraft | null, ApiError, Change>({
    // one after another, since each begins with what the one before stored
    scope: { id: "draft" },
    mutationFn: changeDraft,
    retry: (count, refusal) => count < 3 && isOvertaken(refusal),
    retryDelay: 0,
    onSuccess: async (stored) => {
      // a read that began before would bring the earlier edits back
      await client.cancelQueries({ queryKey: key });
      client.setQueryData(key, stored);
    },
  });
  const edits = data?.records ?? none;
  const run = (change: Change, onStored: (() => void) | undefined) =>
    mutate(change, onStored ? { onSuccess: onStored } : {});
  return {
    edits,
    began: data?.expect ?? none,
    keptUntil: data?.expires_at,
    add: (added, onStored) => run((known) => withEdits(known, added), onStored),
    find: (zone, domain, type) => findEdit(edits, { zone, domain, type }),
    drop(dropped, onStored) {
      const hasSome = withoutEdits(edits, dropped).length < edits.length;
      if (hasSome) run((known) => withoutEdits(known, dropped), onStored);
    },
    isKnown: data !== undefined,
    isPending,
    error: error ?? unread,
    reset,
  };
}
