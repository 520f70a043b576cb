/** Saved views of a page: what its address says, kept by the service for the user. */
import { Button, CloseButton, Group, Popover, Stack, Text, TextInput } from "@mantine/core";
import { type FormEvent, type RefObject, useRef, useState } from "react";
import type { View } from "../api/types.ts";
import { PageLink } from "../app/link.tsx";
import { viewsTexts as texts } from "../text/views.ts";
import { useAddresses } from "./address.ts";
import { useRead, useWrite } from "./api.ts";
import { ErrorNote, messageFor } from "./error-note.tsx";
import { visibleOf } from "./plain.ts";

interface Props {
  readonly page: "zones" | "activity";
  /** The parameters of the address that a view keeps. */
  readonly names: readonly string[];
}

export function Views({ size = "sm", ...props }: Props & { readonly size?: "xs" | "sm" }) {
  const [isOpen, setOpen] = useState(false);
  return (
    <Popover opened={isOpen} onChange={setOpen} width={320} position="bottom-end" trapFocus>
      <Popover.Target>
        <Button variant="default" size={size} onClick={() => setOpen(!isOpen)}>
          {texts.open}
        </Button>
      </Popover.Target>
      <Popover.Dropdown>
        <List {...props} onOpen={() => setOpen(false)} />
      </Popover.Dropdown>
    </Popover>
  );
}

function List({ page, names, onOpen }: Props & { readonly onOpen: () => void }) {
  const { data, error } = useRead("GET /v1/views", { query: { page } });
  const remove = useWrite("DELETE /v1/views/{id}", ["GET /v1/views"]);
  const views = data?.data ?? [];
  const field = useRef<HTMLInputElement>(null);
  return (
    <Stack gap="xs">
      <ErrorNote error={error ?? remove.error} />
      {data && views.length === 0 && <Text size="sm">{texts.none}</Text>}
      {views.map((view) => (
        <Group key={view.id} justify="space-between" wrap="nowrap">
          <PageLink to={page} search={searchOf(view, names)} fz="sm" truncate onClick={onOpen}>
            {visibleOf(view.name)}
          </PageLink>
          <CloseButton
            size="sm"
            aria-label={texts.remove(visibleOf(view.name))}
            // the button goes with its row, and would take the focus with it
            onClick={() => remove.mutate({ path: { id: view.id } }, { onSuccess: () => field.current?.focus() })}
          />
        </Group>
      ))}
      <Save page={page} names={names} field={field} />
    </Stack>
  );
}

function Save({ page, names, field }: Props & { readonly field: RefObject<HTMLInputElement | null> }) {
  const [values] = useAddresses(names);
  const [name, setName] = useState("");
  const { mutate, isPending, error } = useWrite("PUT /v1/views", ["GET /v1/views"]);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    const onSuccess = () => {
      setName("");
      field.current?.focus();
    };
    mutate({ body: { name: name.trim(), page, settings: values } }, { onSuccess });
  };
  return (
    <form onSubmit={submit}>
      <Stack gap="xs" align="flex-start">
        <TextInput
          ref={field}
          label={texts.name}
          w="100%"
          maxLength={255}
          value={name}
          error={messageFor(error, "name") ?? error?.message}
          onChange={(event) => setName(event.currentTarget.value)}
        />
        <Button type="submit" size="compact-sm" loading={isPending} disabled={name.trim() === ""}>
          {texts.save}
        </Button>
      </Stack>
    </form>
  );
}

/** Any client may have saved the view: only texts of known names are taken. */
const searchOf = ({ settings }: View, names: readonly string[]) =>
  Object.fromEntries(
    names.flatMap((name) => (typeof settings[name] === "string" ? [[name, settings[name] as string]] : [])),
  );
