/** The server that the zone comes from: its settings, and making the zone primary or secondary. */
import { Button, Group, Stack } from "@mantine/core";
import { type FormEvent, useState } from "react";
import type { Zone } from "../../../api/types.ts";
import { useWrite } from "../../../kit/api.ts";
import { Confirm } from "../../../kit/confirm.tsx";
import { ErrorNote } from "../../../kit/error-note.tsx";
import { transfersTexts as texts } from "../../../text/zone-transfers.ts";
import { FormActs } from "../settings/form-acts.tsx";
import { Section } from "../settings/section.tsx";
import { useZoneForm } from "../settings/use-zone-form.ts";
import { secondaryOf, sourceOf } from "./read.ts";
import { SourceFields } from "./source-fields.tsx";

export function SourceForm({ zone }: { readonly zone: Zone }) {
  const stored = sourceOf(zone);
  const form = useZoneForm(zone.zone, "source", stored);
  const [secret, setSecret] = useState("");
  const [isOpen, setOpen] = useState(false);
  const { values } = form;
  const submit = (event: FormEvent) => {
    event.preventDefault();
    form.save({ secondary: secondaryOf(values, secret, zone.secondary) });
  };
  if (!stored.isOn && !isOpen && !form.isChanged) {
    return (
      <Section title={texts.makeSecondary} about={texts.makeSecondaryAbout}>
        <Group>
          <Button variant="default" onClick={() => setOpen(true)}>
            {texts.setUp}
          </Button>
        </Group>
      </Section>
    );
  }
  return (
    <Section title={stored.isOn ? texts.sourceTitle : texts.makeSecondary} about={texts.sourceAbout}>
      <form onSubmit={submit}>
        <Stack gap="sm">
          <SourceFields
            values={values}
            secret={secret}
            isSecretStored={stored.isSigned}
            messageFor={form.messageFor}
            onChange={form.set}
            onSecret={setSecret}
          />
          <ErrorNote error={form.messageFor("secondary") === undefined ? form.error : null} />
          <FormActs
            isChanged={form.isChanged || secret !== ""}
            isPending={form.isPending}
            what={texts.sourceObject}
            onReset={() => {
              form.reset();
              setSecret("");
              setOpen(false);
            }}
          />
        </Stack>
      </form>
      {stored.isOn && <MakePrimary zone={zone.zone} />}
    </Section>
  );
}

function MakePrimary({ zone }: { readonly zone: string }) {
  const [isAsked, setAsked] = useState(false);
  const write = useWrite("POST /v1/zones/{zone}", ["GET /v1/zones"]);
  const stop = () => write.mutate({ path: { zone }, body: { secondary: { enabled: false } } });
  return (
    <Group>
      <Button variant="default" onClick={() => setAsked(true)}>
        {texts.stop}
      </Button>
      {isAsked && (
        <Confirm
          title={texts.stopTitle}
          text={texts.stopText(zone)}
          act={texts.stop}
          isPending={write.isPending}
          error={write.error}
          onConfirm={stop}
          onClose={() => setAsked(false)}
        />
      )}
    </Group>
  );
}
