/** The edits of one zone in the draft, with a notice if the zone has changed since they began. */
import { Group, Loader, Title } from "@mantine/core";
import type { ApiError } from "../../api/client.ts";
import type { Draft } from "../../kit/draft.ts";
import { ChangedSince } from "./changed-since.tsx";
import { type Difference, EditRow } from "./edit-row.tsx";

interface Props {
  readonly zone: string;
  readonly draft: Draft;
  /** The present version of the zone; undefined while it is not known. */
  readonly now: number | undefined;
  /** The records that the draft changes; undefined until they are worked out. */
  readonly differences: readonly Difference[] | undefined;
  readonly isBusy: boolean;
  readonly error: ApiError | null;
}

export function ZoneEdits({ zone, draft, now, differences, isBusy, error }: Props) {
  const own = draft.edits.map((edit, at) => ({ edit, at })).filter(({ edit }) => edit.zone === zone);
  return (
    <section aria-label={zone}>
      <Group mb={4}>
        <Title order={2} className="name">
          {zone}
        </Title>
        {isBusy && <Loader size={12} aria-hidden />}
      </Group>
      <ChangedSince zone={zone} began={draft.began} now={now} />
      {own.map(({ edit, at }) => (
        <EditRow
          key={`${edit.domain}/${edit.type}`}
          edit={edit}
          difference={differences?.find(({ domain, type }) => domain === edit.domain && type === edit.type)}
          isKnown={differences !== undefined}
          message={error?.field?.startsWith(`records[${at}]`) ? error.message : undefined}
          onDrop={() => draft.drop([edit])}
        />
      ))}
    </section>
  );
}
