/** The effect of the draft on the zones as they are now, and its application to this state as one change. */
import { useQuery } from "@tanstack/react-query";
import { type ApiError, call } from "../../api/client.ts";
import type { ChangeSetEffect } from "../../api/types.ts";
import { useWrite } from "../../kit/api.ts";
import type { Draft } from "../../kit/draft.ts";
import { noteSaved } from "../../kit/note-saved.tsx";
import { versionsOf, type ZoneVersion } from "../../kit/stored-draft.ts";
import { changesTexts as texts } from "../../text/changes.ts";

interface Review {
  /** The versions of the zones that the effect is worked out for. */
  readonly expect: ZoneVersion[];
  readonly effect: ChangeSetEffect | null;
}

/** A zone changed in the middle of a question, or its last change has no version yet. */
const isOvertaken = ({ status }: ApiError) => status === 412;
const none: readonly never[] = [];

export function useReview({ edits, drop }: Draft) {
  const records = [...edits];
  const { data, error, isFetching, refetch } = useQuery<Review, ApiError>({
    queryKey: ["review", edits],
    queryFn: async ({ signal }) => {
      const expect = await versionsOf([...new Set(edits.map(({ zone }) => zone))], signal);
      const options = { query: { dry_run: true }, body: { records, expect }, signal };
      return { expect, effect: (await call("PUT /v1/changesets", options)).data.effect };
    },
    enabled: edits.length > 0,
    placeholderData: (before) => before,
    retry: (count, refusal) => count < 5 && isOvertaken(refusal),
    retryDelay: 500,
  });
  const write = useWrite("PUT /v1/changesets", ["GET /v1/", "simulation"]);
  const apply = (isConfirmed: boolean) =>
    write.mutate(
      { body: { records, expect: data?.expect ?? null }, query: isConfirmed ? { confirm_deletions: true } : {} },
      {
        onSuccess({ data: { id } }) {
          drop(edits);
          noteSaved({ text: texts.applied, change: id ?? undefined, canUndo: true });
        },
        onError: (refusal) => isOvertaken(refusal) && void refetch(),
      },
    );
  return {
    effect: data?.effect ?? undefined,
    versions: data?.expect ?? none,
    error,
    isFetching,
    apply: {
      run: apply,
      isPending: write.isPending,
      error: write.error,
      isOvertaken: write.error !== null && isOvertaken(write.error),
      reset: write.reset,
    },
  };
}
