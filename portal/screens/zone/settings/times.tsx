/** The fields of the SOA record. */
import { SimpleGrid, Stack, TextInput } from "@mantine/core";
import { type FormEvent, useState } from "react";
import type { Zone } from "../../../api/types.ts";
import { ErrorNote } from "../../../kit/error-note.tsx";
import { duration } from "../../../kit/time.tsx";
import { scanTtl } from "../../../kit/ttl.ts";
import { wordOf } from "../../../kit/word.tsx";
import { settingsTexts as texts } from "../../../text/zone-settings.ts";
import { FormActs } from "./form-acts.tsx";
import { Section } from "./section.tsx";
import { useZoneForm } from "./use-zone-form.ts";

const names = ["ttl", "nx_ttl", "refresh", "retry", "expiry"] as const;
type TimeName = (typeof names)[number];

export function Times({ zone }: { readonly zone: Zone }) {
  const { hostmaster, primary_master } = zone;
  const times = Object.fromEntries(names.map((name) => [name, String(zone[name])])) as { [N in TimeName]: string };
  const form = useZoneForm(zone.zone, "times", { ...times, hostmaster, primary_master });
  const [isSent, setSent] = useState(false);
  const { values } = form;
  const wrong = names.filter((name) => scanTtl(values[name]) === undefined);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    setSent(true);
    if (wrong.length > 0) return;
    const changed = names.filter((name) => values[name] !== times[name]);
    form.save({
      ...Object.fromEntries(changed.map((name) => [name, scanTtl(values[name])])),
      ...(values.hostmaster === hostmaster ? {} : { hostmaster: values.hostmaster }),
      ...(values.primary_master === primary_master ? {} : { primary_master: values.primary_master }),
    });
  };
  return (
    <Section title={texts.times} about={texts.timesAbout}>
      <form onSubmit={submit}>
        <Stack gap="sm">
          <SimpleGrid cols={{ base: 1, sm: 2 }}>
            {names.map((name) => {
              const [label, about] = texts.fields[name];
              const seconds = scanTtl(values[name]);
              const inWords = seconds === undefined ? "" : ` (${duration(seconds)})`;
              const isWrong = isSent && seconds === undefined;
              return (
                <TextInput
                  key={name}
                  label={wordOf(label, name)}
                  description={`${about}${inWords}`}
                  value={values[name]}
                  error={isWrong ? texts.notSeconds : form.messageFor(name)}
                  onChange={(event) => form.set({ [name]: event.currentTarget.value })}
                />
              );
            })}
            <TextInput
              label={wordOf(texts.hostmaster, "hostmaster")}
              description={texts.hostmasterAbout}
              value={values.hostmaster}
              error={form.messageFor("hostmaster")}
              onChange={(event) => form.set({ hostmaster: event.currentTarget.value })}
            />
            <TextInput
              label={wordOf(texts.primaryMaster, "primary_master")}
              description={texts.primaryMasterAbout}
              value={values.primary_master}
              error={form.messageFor("primary_master")}
              onChange={(event) => form.set({ primary_master: event.currentTarget.value })}
            />
          </SimpleGrid>
          <ErrorNote error={form.error} />
          <FormActs
            isChanged={form.isChanged}
            isPending={form.isPending}
            what={texts.timesObject}
            onReset={form.reset}
          />
        </Stack>
      </form>
    </Section>
  );
}
