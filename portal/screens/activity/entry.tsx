/** An opened entry: before and after side by side, field by field. */
import { Button, Group, Stack, Text } from "@mantine/core";
import { useMemo, useState } from "react";
import type { ActivityEntry } from "../../api/types.ts";
import { visibleOf } from "../../kit/plain.ts";
import { absolute } from "../../kit/time.tsx";
import { activityTexts as texts } from "../../text/activity.ts";
import { type Difference, differencesOf, omittedOf } from "./difference.ts";
import classes from "./entry.module.css";
import { TakeBack } from "./take-back.tsx";

interface Props {
  readonly entry: ActivityEntry;
  readonly onId: (id: string) => void;
  readonly onUser: (user: string) => void;
}

/** Fields above this number are shown on demand. */
const shownAtFirst = 60;

export function Entry({ entry, onId, onUser }: Props) {
  const [isWhole, setWhole] = useState(false);
  const differences = useMemo(() => differencesOf(entry), [entry]);
  const omitted = omittedOf(entry);
  const shown = isWhole ? differences : differences.slice(0, shownAtFirst);
  return (
    <Stack gap="xs" p="sm">
      <Text size="xs" c="dimmed">
        {absolute(entry.timestamp)} · <span className="name">{`${entry.resource_type} ${entry.action}`}</span>
      </Text>
      {differences.length === 0 ? <Text size="sm">{texts.nothing}</Text> : <Differences rows={shown} />}
      {omitted.length > 0 && <Text size="sm">{texts.omitted(omitted.join(", "))}</Text>}
      <Group gap="xs">
        {shown.length < differences.length && (
          <Button size="compact-xs" variant="default" onClick={() => setWhole(true)}>
            {texts.showAll(differences.length)}
          </Button>
        )}
        <Button size="compact-xs" variant="default" onClick={() => onId(entry.resource_id)}>
          {texts.ofThing}
        </Button>
        <Button size="compact-xs" variant="default" onClick={() => onUser(entry.user_id)}>
          {texts.ofUser(visibleOf(entry.user_name) || texts.service)}
        </Button>
        <TakeBack entry={entry} />
      </Group>
    </Stack>
  );
}

const Differences = ({ rows }: { readonly rows: readonly Difference[] }) => (
  <table className={classes["differences"]}>
    <thead>
      <tr>
        <th scope="col">{texts.field}</th>
        <th scope="col">{texts.before}</th>
        <th scope="col">{texts.after}</th>
      </tr>
    </thead>
    <tbody>
      {rows.map(({ path, before, after }) => (
        <tr key={JSON.stringify(path)}>
          <th scope="row">{path.join(" › ")}</th>
          <Side sign="−" text={before} look="was" label={texts.before} />
          <Side sign="+" text={after} look="is" label={texts.after} />
        </tr>
      ))}
    </tbody>
  </table>
);

interface SideProps {
  readonly sign: string;
  readonly text: string | undefined;
  readonly look: "was" | "is";
  readonly label: string;
}

const Side = ({ sign, text, look, label }: SideProps) => (
  <td className={text === undefined ? undefined : classes[look]} data-label={label}>
    {text !== undefined && (
      <>
        <span aria-hidden>{sign} </span>
        <span className="name">{text === "" ? "“”" : text}</span>
      </>
    )}
  </td>
);
