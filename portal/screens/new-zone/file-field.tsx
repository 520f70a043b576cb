/** A field into which a file is dropped, or for which one is chosen. */
import { Button, FileButton, Group, Paper, Text } from "@mantine/core";
import { type DragEvent, useState } from "react";
import { newZoneTexts as texts } from "../../text/new-zone.ts";

interface Props {
  readonly file: File | undefined;
  readonly onChoose: (file: File) => void;
}

export function FileField({ file, onChoose }: Props) {
  const [isOver, setOver] = useState(false);
  const over = (event: DragEvent) => {
    event.preventDefault();
    setOver(true);
  };
  const drop = (event: DragEvent) => {
    event.preventDefault();
    setOver(false);
    const [dropped] = event.dataTransfer.files;
    if (dropped) onChoose(dropped);
  };
  return (
    <Paper
      withBorder
      p="md"
      role="group"
      aria-label={texts.file}
      bg={isOver ? "var(--mantine-primary-color-light)" : undefined}
      style={{ borderStyle: "dashed" }}
      onDragOver={over}
      onDragLeave={() => setOver(false)}
      onDrop={drop}
    >
      <Group justify="space-between">
        <div>
          <Text fw={600} size="sm">
            {texts.file}
          </Text>
          <Text size="sm" c="dimmed">
            {file ? texts.fileChosen(file.name, sizeOf(file.size)) : texts.fileHint}
          </Text>
        </div>
        <FileButton onChange={(chosen) => chosen && onChoose(chosen)} inputProps={{ "aria-label": texts.file }}>
          {(props) => (
            <Button variant="default" autoFocus {...props}>
              {file ? texts.fileOther : texts.fileChoose}
            </Button>
          )}
        </FileButton>
      </Group>
    </Paper>
  );
}

const sizeOf = (octets: number): string =>
  new Intl.NumberFormat(undefined, {
    style: "unit",
    unit: octets < 1_000_000 ? "kilobyte" : "megabyte",
    maximumFractionDigits: 1,
  }).format(octets / (octets < 1_000_000 ? 1000 : 1_000_000));
