/** A notice that a zone has changed since the draft began, with the way to what changed. */
import { Alert, Text } from "@mantine/core";
import { PageLink } from "../../app/link.tsx";
import type { ZoneVersion } from "../../kit/stored-draft.ts";
import { changesTexts as texts } from "../../text/changes.ts";

interface Props {
  readonly zone: string;
  /** The versions from which the edits of the draft began. */
  readonly began: readonly ZoneVersion[];
  /** The present version; undefined while it is not known. */
  readonly now: number | undefined;
}

export function ChangedSince({ zone, began, now }: Props) {
  const since = began.find((one) => one.zone === zone)?.serial;
  if (since === undefined || now === undefined || since === now) return null;
  return (
    <Alert color="yellow" py={6} mb={4} role="status">
      <Text size="sm">
        {texts.changedSince(since, now)}{" "}
        <PageLink to="zone" params={{ zone }} search={{ tab: "versions", from: String(since), to: String(now) }}>
          {texts.whatChanged}
        </PageLink>
      </Text>
    </Alert>
  );
}
