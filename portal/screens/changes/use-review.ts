/** The effect of the draft, worked out by the service without writing, and its application as one change. */
import { useQuery } from "@tanstack/react-query";
import { type ApiError, call } from "../../api/client.ts";
import type { ChangeSetEffect } from "../../api/types.ts";
import { useWrite } from "../../kit/api.ts";
import type { Draft } from "../../kit/draft.ts";
import { noteSaved } from "../../kit/note-saved.tsx";
import { changesTexts as texts } from "../../text/changes.ts";

export function useReview({ edits, clear }: Draft) {
  const body = { records: [...edits] };
  const { data, error, isFetching } = useQuery<ChangeSetEffect | null, ApiError>({
    queryKey: ["review", edits],
    queryFn: async ({ signal }) =>
      (await call("PUT /v1/changesets", { query: { dry_run: true }, body, signal })).data.effect,
    enabled: edits.length > 0,
    placeholderData: (before) => before,
    retry: false,
  });
  const write = useWrite("PUT /v1/changesets", ["GET /v1/", "simulation"]);
  const run = () =>
    write.mutate(
      { body },
      {
        onSuccess({ data: { id } }) {
          clear();
          noteSaved({ text: texts.applied, change: id ?? undefined, canUndo: true });
        },
      },
    );
  return {
    effect: data ?? undefined,
    error,
    isFetching,
    apply: { run, isPending: write.isPending, error: write.error },
  };
}
