/** The messages of an import: wrong lines for which it was refused, or warnings about one that was taken. */
import { Alert, Button, Group, List, Stack, Text } from "@mantine/core";
import { useOpen } from "../../app/link.tsx";
import { type ImportTexts, newZoneTexts as texts } from "../../text/new-zone.ts";
import { useName } from "./use-create.ts";
import type { WrongLine } from "./use-import.ts";

interface WrongProps {
  readonly texts: ImportTexts;
  readonly lines: readonly WrongLine[];
  readonly message: string;
  readonly onPartial: () => void;
}

export function WrongLines({ texts: own, lines, message, onPartial }: WrongProps) {
  const [, more] = /and (\d+) more\)$/.exec(message) ?? [];
  const left = Number(more ?? 0) - (lines.length - 1);
  return (
    <Alert color="red" role="alert" title={own.wrong}>
      <List size="sm" listStyleType="none">
        {lines.map((line) => (
          <List.Item key={`${line.line} ${line.message}`} style={{ overflowWrap: "anywhere" }}>
            {texts.lineAt(line.line)}: {line.message}
          </List.Item>
        ))}
        {left > 0 && <List.Item>{texts.moreErrors(left)}</List.Item>}
      </List>
      <Button variant="default" size="compact-sm" mt="sm" onClick={onPartial}>
        {own.others}
      </Button>
    </Alert>
  );
}

interface ImportedProps {
  readonly zone: string;
  readonly warnings: readonly string[];
}

export function Imported({ zone, warnings }: ImportedProps) {
  const open = useOpen();
  const [, , forgetName] = useName();
  const openZone = () => {
    forgetName();
    open({ to: "zone", params: { zone } });
  };
  return (
    <Stack gap="sm" role="status">
      <Text fw={600}>{texts.done(zone)}</Text>
      {warnings.length > 0 && (
        <>
          <Text size="sm">{texts.doneWarnings(warnings.length)}</Text>
          <List size="sm" listStyleType="none">
            {warnings.map((warning) => (
              <List.Item key={warning} style={{ overflowWrap: "anywhere" }}>
                {warning}
              </List.Item>
            ))}
          </List>
        </>
      )}
      <Group>
        <Button autoFocus onClick={openZone}>
          {texts.openZone}
        </Button>
      </Group>
    </Stack>
  );
}
