/** Opens the zone as it was at a time. */
import { Button, Group, TextInput } from "@mantine/core";
import { type FormEvent, useState } from "react";
import { secondsOf } from "../../../kit/time.tsx";
import { versionsTexts as texts } from "../../../text/zone-versions.ts";

export function AtTime({ onOpen }: { readonly onOpen: (seconds: number) => void }) {
  const [text, setText] = useState("");
  const submit = (event: FormEvent) => {
    event.preventDefault();
    const seconds = secondsOf(text);
    if (seconds !== undefined) onOpen(seconds);
  };
  return (
    <form onSubmit={submit}>
      <Group gap="xs" align="flex-end">
        <TextInput
          type="datetime-local"
          label={texts.at}
          value={text}
          onChange={(event) => setText(event.currentTarget.value)}
        />
        <Button type="submit" variant="default" disabled={text === ""}>
          {texts.atAct}
        </Button>
      </Group>
    </form>
  );
}
