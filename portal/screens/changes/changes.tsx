/** The review of the draft: each edit as a difference, what lint says, who gets another answer, and applying all as one. */
import { Button, Group, Loader, Stack, Text, Title } from "@mantine/core";
import { useState } from "react";
import { useOpen } from "../../app/link.tsx";
import { Confirm } from "../../kit/confirm.tsx";
import { useDraft } from "../../kit/draft.ts";
import { Empty } from "../../kit/empty.tsx";
import { ErrorNote } from "../../kit/error-note.tsx";
import { Page } from "../../kit/page.tsx";
import { changesTexts as texts } from "../../text/changes.ts";
import { EditRow } from "./edit-row.tsx";
import { Effect } from "./effect.tsx";
import { useReview } from "./use-review.ts";

export function Screen() {
  const draft = useDraft();
  const open = useOpen();
  const [isAsked, setAsked] = useState(false);
  const { effect, error, isFetching, apply } = useReview(draft);
  const { edits } = draft;
  if (edits.length === 0) {
    return (
      <Page title={texts.title}>
        <Empty title={texts.emptyTitle} text={texts.emptyText}>
          <Button onClick={() => open({ to: "zones" })}>{texts.toZones}</Button>
        </Empty>
      </Page>
    );
  }
  const zones = [...new Set(edits.map(({ zone }) => zone))];
  const records = effect?.zones.flatMap((zone) => zone.records) ?? [];
  return (
    <Page
      title={texts.title}
      about={texts.about(edits.length, zones.length)}
      acts={
        <>
          <Button variant="subtle" onClick={() => setAsked(true)}>
            {texts.discard}
          </Button>
          <Button loading={apply.isPending} disabled={error !== null} onClick={apply.run}>
            {texts.apply(edits.length)}
          </Button>
        </>
      }
    >
      <Stack>
        <ErrorNote error={apply.error ?? error} />
        {zones.map((zone) => (
          <section key={zone} aria-label={zone}>
            <Group mb={4}>
              <Title order={2} className="name">
                {zone}
              </Title>
              {isFetching && <Loader size={12} aria-hidden />}
            </Group>
            {edits
              .map((edit, at) => ({ edit, at }))
              .filter(({ edit }) => edit.zone === zone)
              .map(({ edit, at }) => (
                <EditRow
                  key={`${edit.domain}/${edit.type}`}
                  edit={edit}
                  difference={records.find(({ domain, type }) => domain === edit.domain && type === edit.type)}
                  isKnown={effect !== undefined}
                  message={error?.field?.startsWith(`records[${at}]`) ? error.message : undefined}
                  onDrop={() => draft.drop(edit)}
                />
              ))}
          </section>
        ))}
        {effect && <Effect effect={effect} />}
        {effect && !effect.complete && <Text size="sm">{texts.partly}</Text>}
      </Stack>
      {isAsked && (
        <Confirm
          title={texts.discard}
          text={texts.discardText}
          act={texts.discard}
          isPending={false}
          error={null}
          onConfirm={() => {
            draft.clear();
            setAsked(false);
          }}
          onClose={() => setAsked(false)}
        />
      )}
    </Page>
  );
}
