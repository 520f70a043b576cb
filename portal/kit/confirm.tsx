/** Asks before something is removed: says what goes and what comes back; a name is typed only where nothing comes back. */
import { Button, Group, Modal, Stack, Text, TextInput } from "@mantine/core";
import { type ReactNode, useState } from "react";
import type { ApiError } from "../api/client.ts";
import { kitTexts } from "../text/kit.ts";
import { ErrorNote } from "./error-note.tsx";

interface Props {
  readonly title: string;
  readonly text: ReactNode;
  /** The text of the button: a verb with its object. */
  readonly act: string;
  /** The name to type, if what goes does not come back. */
  readonly name?: string | undefined;
  /** Whether nothing is lost: the button has not the colour of a deletion. */
  readonly isRepair?: boolean;
  /** A further button, for a milder way. */
  readonly other?: ReactNode;
  readonly isPending: boolean;
  readonly error: ApiError | null;
  readonly onConfirm: () => void;
  readonly onClose: () => void;
}

export function Confirm({
  title,
  text,
  act,
  name,
  isRepair = false,
  other,
  isPending,
  error,
  onConfirm,
  onClose,
}: Props) {
  const [typed, setTyped] = useState("");
  return (
    <Modal opened onClose={onClose} title={title} size={other ? "lg" : "md"}>
      <Stack>
        <Text size="sm" component="div">
          {text}
        </Text>
        {name !== undefined && (
          <TextInput
            label={kitTexts.typeName(name)}
            value={typed}
            onChange={(event) => setTyped(event.currentTarget.value)}
          />
        )}
        <ErrorNote error={error} />
        <Group justify="flex-end">
          <Button variant="default" onClick={onClose} data-autofocus>
            {kitTexts.cancel}
          </Button>
          {other}
          <Button
            {...(isRepair ? {} : { color: "red.9" })}
            loading={isPending}
            disabled={name !== undefined && typed !== name}
            onClick={onConfirm}
          >
            {act}
          </Button>
        </Group>
      </Stack>
    </Modal>
  );
}
