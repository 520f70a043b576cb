/** The effect of the draft, worked out by the service without writing, and its application as one change. */
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { type ApiError, call } from "../../api/client.ts";
import type { ChangeSetEffect } from "../../api/types.ts";
import { useWrite } from "../../kit/api.ts";
import type { Draft } from "../../kit/draft.ts";
import { noteSaved } from "../../kit/note-saved.tsx";
import { reverse } from "../../kit/record-body.ts";
import { changesTexts as texts } from "../../text/changes.ts";

export function useReview({ edits, clear }: Draft) {
  const client = useQueryClient();
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
  const run = () => {
    const undone = inverseOf(data ?? undefined);
    const undo = async () => {
      await call("PUT /v1/changesets", { body: { records: undone } });
      await client.invalidateQueries();
    };
    write.mutate(
      { body },
      {
        onSuccess({ data: { id } }) {
          clear();
          noteSaved({ text: texts.applied, change: id ?? undefined, undo: undone.length > 0 ? undo : undefined });
        },
      },
    );
  };
  return {
    effect: data ?? undefined,
    error,
    isFetching,
    apply: { run, isPending: write.isPending, error: write.error },
  };
}

/** The change set that takes an effect back. */
const inverseOf = (effect: ChangeSetEffect | undefined) =>
  (effect?.zones ?? []).flatMap(({ zone, records }) =>
    records.map(({ domain, type, before }) => reverse({ zone, domain, type }, before ?? undefined)),
  );
