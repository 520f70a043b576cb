/** The review of the draft: each edit as a difference, what lint says, who gets another answer, and applying all as one. */
import { Alert, Button, Stack, Text } from "@mantine/core";
import { useState } from "react";
import { useOpen } from "../../app/link.tsx";
import { Confirm } from "../../kit/confirm.tsx";
import { DangerButton } from "../../kit/danger-button.tsx";
import { useDraft } from "../../kit/draft.ts";
import { Empty } from "../../kit/empty.tsx";
import { ErrorNote } from "../../kit/error-note.tsx";
import { Guarded, isGuarded } from "../../kit/guarded.tsx";
import { Loading } from "../../kit/loading.tsx";
import { Page } from "../../kit/page.tsx";
import { Time } from "../../kit/time.tsx";
import { changesTexts as texts } from "../../text/changes.ts";
import { Effect } from "./effect.tsx";
import { useReview } from "./use-review.ts";
import { ZoneEdits } from "./zone-edits.tsx";

export function Screen() {
  const draft = useDraft();
  const open = useOpen();
  const [isAsked, setAsked] = useState(false);
  const { effect, versions, error, isFetching, apply } = useReview(draft);
  const { edits } = draft;
  if (edits.length === 0) {
    return (
      <Page title={texts.title}>
        <ErrorNote error={draft.error} />
        {draft.isKnown ? (
          <Empty title={texts.emptyTitle} text={texts.emptyText}>
            <Button onClick={() => open({ to: "zones" })}>{texts.toZones}</Button>
          </Empty>
        ) : (
          !draft.error && <Loading />
        )}
      </Page>
    );
  }
  const zones = [...new Set(edits.map(({ zone }) => zone))];
  const records = effect?.zones.flatMap((zone) => zone.records) ?? [];
  return (
    <Page
      title={texts.title}
      about={
        <>
          {texts.about(edits.length, zones.length)} {texts.kept} <Time at={draft.keptUntil} />.
        </>
      }
      acts={
        <>
          <DangerButton onClick={() => setAsked(true)}>{texts.discard}</DangerButton>
          <Button loading={apply.isPending} disabled={!effect || error !== null} onClick={() => apply.run(false)}>
            {texts.apply(edits.length)}
          </Button>
        </>
      }
    >
      <Stack>
        <ErrorNote error={draft.error ?? error} />
        {apply.isOvertaken ? (
          <Alert color="yellow" role="alert">
            {texts.overtaken}
          </Alert>
        ) : (
          !isGuarded(apply.error) && <ErrorNote error={apply.error} />
        )}
        {zones.map((zone) => (
          <ZoneEdits
            key={zone}
            zone={zone}
            draft={draft}
            now={versions.find((one) => one.zone === zone)?.serial}
            differences={effect && records}
            isBusy={isFetching}
            error={error}
          />
        ))}
        {effect && <Effect effect={effect} />}
        {effect && !effect.complete && <Text size="sm">{texts.partly}</Text>}
      </Stack>
      {isAsked && (
        <Confirm
          title={texts.discard}
          text={texts.discardText}
          act={texts.discard}
          isPending={draft.isPending}
          error={draft.error}
          onConfirm={() => draft.drop(edits, () => setAsked(false))}
          onClose={() => setAsked(false)}
        />
      )}
      <Guarded
        error={apply.error}
        isPending={apply.isPending}
        act={texts.applyAnyway}
        onConfirm={() => apply.run(true)}
        onClose={apply.reset}
      />
    </Page>
  );
}
