/** The columns of the list of versions. */
import { Button, Group, Text } from "@mantine/core";
import type { Version } from "../../../api/types.ts";
import { State } from "../../../kit/state.tsx";
import type { Column } from "../../../kit/table.tsx";
import { Time } from "../../../kit/time.tsx";
import { versionsTexts as texts } from "../../../text/zone-versions.ts";
import { actOf } from "../../activity/words.ts";

interface Given {
  readonly canRestore: boolean;
  readonly onShow: (version: Version) => void;
  readonly onView: (version: Version) => void;
  readonly onRestore: (version: Version) => void;
}

export function columnsOf({ canRestore, onShow, onView, onRestore }: Given): readonly Column<Version>[] {
  return [
    {
      accessor: "id",
      title: texts.version,
      render: ({ id, active, saved, name }) => (
        <Group gap={6}>
          {id}
          {active && <State is="ok" text={texts.now} />}
          {saved && name !== "" && (
            <Text span size="sm" fw={600}>
              {name}
            </Text>
          )}
        </Group>
      ),
    },
    { accessor: "created_at", title: texts.when, render: ({ created_at }) => <Time at={created_at} /> },
    { accessor: "user", title: texts.who, render: ({ user }) => user?.name ?? "" },
    { accessor: "action", title: texts.act, render: ({ action }) => wordsOf(action) },
    {
      accessor: "added",
      title: texts.lines,
      render: ({ added, removed }) => `${texts.added(added)} ${texts.removed(removed)}`,
    },
    {
      accessor: "acts",
      title: "",
      textAlign: "right",
      render: (version) => (
        <Group gap={4} justify="flex-end" wrap="nowrap">
          <Act label={texts.showOf(version.id)} text={texts.show} onClick={() => onShow(version)} />
          <Act label={texts.viewOf(version.id)} text={texts.view} onClick={() => onView(version)} />
          {canRestore && !version.active && (
            <Act label={texts.restoreOf(version.id)} text={texts.restore} onClick={() => onRestore(version)} />
          )}
        </Group>
      ),
    },
  ];
}

/** The act in the words of the log. The API writes it as the kind of thing and the act. */
function wordsOf(given: string | null): string {
  const [resource_type = "", action = ""] = given?.split(" ") ?? [];
  return given === null ? "" : actOf({ resource_type, action });
}

interface ActProps {
  readonly label: string;
  readonly text: string;
  readonly onClick: () => void;
}

const Act = ({ label, text, onClick }: ActProps) => (
  <Button variant="subtle" size="compact-xs" aria-label={label} onClick={onClick}>
    {text}
  </Button>
);
