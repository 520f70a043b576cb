/** The last pushes to a feed or a source, also those that were refused. */
import { Button, Text, Title } from "@mantine/core";
import type { RecentPush } from "../../api/types.ts";
import { visibleOf } from "../../kit/plain.ts";
import { ScrollTable } from "../../kit/scroll-table.tsx";
import { State } from "../../kit/state.tsx";
import { absolute, Time } from "../../kit/time.tsx";
import { feedsTexts as texts } from "../../text/feeds.ts";
import { Values } from "./value.tsx";
import type { Table as ValuesTable } from "./values-form.tsx";

interface Props {
  readonly pushes: readonly RecentPush[];
  /** Takes the values of an earlier push into the form. */
  readonly onAgain?: (values: ValuesTable) => void;
}

export const Pushes = ({ pushes, onAgain }: Props) => (
  <div>
    <Title order={3}>{texts.pushes}</Title>
    {pushes.length === 0 ? (
      <Text size="sm" c="dimmed">
        {texts.noPushes}
      </Text>
    ) : (
      <ScrollTable
        label={texts.pushes}
        heads={[texts.age, texts.result, texts.values]}
        rows={pushes.map((push, at) => ({
          // two pushes may be of one moment
          id: `${push.at} ${at}`,
          cells: [
            <Time key="at" at={push.at} />,
            <State key="result" is={push.result === "stored" ? "ok" : "refused"} text={texts.results[push.result]} />,
            <Content key="values" push={push} />,
            ...(onAgain
              ? [push.values && <Again key="again" at={push.at} values={push.values} onAgain={onAgain} />]
              : []),
          ],
        }))}
      />
    )}
  </div>
);

function Again({
  at,
  values,
  onAgain,
}: Pick<RecentPush, "at"> & Required<Pick<Props, "onAgain">> & { readonly values: ValuesTable }) {
  return (
    <Button size="compact-xs" variant="subtle" aria-label={texts.againAt(absolute(at))} onClick={() => onAgain(values)}>
      {texts.again}
    </Button>
  );
}

function Content({ push: { message, values, feeds, octets } }: { readonly push: RecentPush }) {
  if (message !== undefined) return <span className="name">{visibleOf(message)}</span>;
  return (
    <>
      {values ? <Values of={values} /> : texts.octets(octets)}
      {feeds !== undefined && (
        <Text component="span" inherit c="dimmed">
          {" "}
          {texts.toFeeds(feeds)}
        </Text>
      )}
    </>
  );
}
