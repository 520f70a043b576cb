/** Whether the zone is answered. */
import { Button, Group } from "@mantine/core";
import { useState } from "react";
import type { Zone } from "../../../api/types.ts";
import { useWrite } from "../../../kit/api.ts";
import { Confirm } from "../../../kit/confirm.tsx";
import { ErrorNote } from "../../../kit/error-note.tsx";
import { State } from "../../../kit/state.tsx";
import { settingsTexts as texts } from "../../../text/zone-settings.ts";
import { zonesTexts } from "../../../text/zones.ts";
import { Section } from "./section.tsx";

export function StateSection({ zone: { zone, disabled } }: { readonly zone: Zone }) {
  const [isAsked, setAsked] = useState(false);
  const write = useWrite("POST /v1/zones/{zone}", ["GET /v1/zones"]);
  const set = (next: boolean) =>
    write.mutate({ path: { zone }, body: { disabled: next } }, { onSuccess: () => setAsked(false) });
  return (
    <Section title={texts.state} about={texts.stateAbout}>
      <Group justify="space-between">
        <State is={disabled ? "off" : "ok"} text={disabled ? zonesTexts.off : texts.on} />
        {disabled ? (
          <Button variant="default" loading={write.isPending} onClick={() => set(false)}>
            {texts.enable}
          </Button>
        ) : (
          <Button variant="default" onClick={() => setAsked(true)}>
            {texts.disable}
          </Button>
        )}
      </Group>
      {!isAsked && <ErrorNote error={write.error} />}
      {isAsked && (
        <Confirm
          title={texts.disableTitle}
          text={texts.disableText(zone)}
          act={texts.disable}
          isPending={write.isPending}
          error={write.error}
          onConfirm={() => set(true)}
          onClose={() => setAsked(false)}
        />
      )}
    </Section>
  );
}
