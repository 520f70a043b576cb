/** The name of the new zone, with the message about it, and the way to a name that another account has. */
import { Anchor, Stack, Text, TextInput } from "@mantine/core";
import { useState } from "react";
import type { ApiError } from "../../api/client.ts";
import { messageFor } from "../../kit/error-note.tsx";
import { wordOf } from "../../kit/word.tsx";
import { newZoneTexts as texts } from "../../text/new-zone.ts";
import { Claim } from "./claim.tsx";
import { useName, zoneOf } from "./use-create.ts";

interface Props {
  readonly error: ApiError | null;
  readonly hint?: string;
  readonly isFirst?: boolean;
}

/** Whether a refusal is about the name: it has no field of the body then. */
export const isAboutName = (error: ApiError | null): boolean =>
  error !== null &&
  (error.field === undefined || error.field === "zone") &&
  error.status >= 400 &&
  error.status < 500 &&
  error.status !== 401 &&
  error.status !== 429;

export function NameField({ error, hint = texts.nameHint, isFirst = true }: Props) {
  const [name, setName] = useName();
  const [isClaiming, setClaiming] = useState(false);
  const isAbout = isAboutName(error);
  const reason = error?.details["reason"];
  const message = typeof reason === "string" ? reason : (messageFor(error, "zone") ?? error?.message);
  const isTaken = isAbout && /already exists|another account/.test(error?.message ?? "");
  return (
    <Stack gap="xs">
      <TextInput
        label={wordOf(texts.name, "zone")}
        description={hint}
        required
        autoFocus={isFirst}
        spellCheck={false}
        autoCapitalize="none"
        classNames={{ input: "name" }}
        value={name}
        error={isAbout ? message : undefined}
        onChange={(event) => setName(event.currentTarget.value)}
      />
      {isTaken && !isClaiming && (
        <Text size="sm">
          {texts.taken}{" "}
          <Anchor component="button" type="button" inherit onClick={() => setClaiming(true)}>
            {texts.claim}
          </Anchor>
        </Text>
      )}
      {isClaiming && <Claim zone={zoneOf(name)} />}
    </Stack>
  );
}
