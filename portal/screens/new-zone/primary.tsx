/** A zone that is made here: its name, and the rest under "more". */
import { Anchor, Button, Group, Input, MultiSelect, Stack, TextInput } from "@mantine/core";
import { type FormEvent, useState } from "react";
import type { ZoneBody } from "../../api/types.ts";
import { useRead } from "../../kit/api.ts";
import { ErrorNote, messageFor } from "../../kit/error-note.tsx";
import { useKept } from "../../kit/kept.ts";
import { type TagRow, TagsEditor, tagsOfRows } from "../../kit/tags-editor.tsx";
import { scanTtl } from "../../kit/ttl.ts";
import { wordOf } from "../../kit/word.tsx";
import { newZoneTexts as texts } from "../../text/new-zone.ts";
import { settingsTexts } from "../../text/zone-settings.ts";
import { isAboutName, NameField } from "./name-field.tsx";
import { useCreate } from "./use-create.ts";

interface More {
  readonly networks: readonly string[];
  readonly ttl: string;
  readonly hostmaster: string;
  readonly tags: readonly TagRow[];
}

const nothing: More = { networks: ["0"], ttl: "", hostmaster: "", tags: [] };
const fields = ["networks", "nx_ttl", "hostmaster", "tags"];

export function Primary() {
  const [more, setMore, forget] = useKept("newzone:more", nothing);
  const [isOpen, setOpen] = useState(JSON.stringify(more) !== JSON.stringify(nothing));
  const { create, isPending, error } = useCreate(forget);
  const ttl = more.ttl === "" ? undefined : scanTtl(more.ttl);
  const isTtlWrong = more.ttl !== "" && ttl === undefined;
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (isTtlWrong) return;
    create(isOpen ? bodyOf(more, ttl) : {});
  };
  const isShown = isAboutName(error) || fields.some((field) => messageFor(error, field));
  return (
    <form onSubmit={submit}>
      <Stack gap="sm">
        <NameField error={error} />
        {isOpen && (
          <Networks
            ids={more.networks}
            error={messageFor(error, "networks")}
            onChange={(networks) => setMore({ ...more, networks })}
          />
        )}
        {isOpen && (
          <>
            <TextInput
              label={wordOf(settingsTexts.fields.nx_ttl[0], "nx_ttl")}
              description={settingsTexts.fields.nx_ttl[1]}
              placeholder="3600"
              value={more.ttl}
              error={isTtlWrong ? settingsTexts.notSeconds : messageFor(error, "nx_ttl")}
              onChange={(event) => setMore({ ...more, ttl: event.currentTarget.value })}
            />
            <TextInput
              label={wordOf(texts.hostmaster, "hostmaster")}
              value={more.hostmaster}
              error={messageFor(error, "hostmaster")}
              onChange={(event) => setMore({ ...more, hostmaster: event.currentTarget.value })}
            />
            <Input.Wrapper label={wordOf(texts.tags, "tags")} error={messageFor(error, "tags")}>
              <TagsEditor rows={more.tags} onChange={(tags) => setMore({ ...more, tags })} />
            </Input.Wrapper>
          </>
        )}
        <ErrorNote error={isShown ? null : error} />
        <Group>
          <Button type="submit" loading={isPending}>
            {texts.create}
          </Button>
          <Anchor component="button" type="button" size="sm" aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
            {isOpen ? texts.less : texts.more}
          </Anchor>
        </Group>
      </Stack>
    </form>
  );
}

interface NetworksProps {
  readonly ids: readonly string[];
  readonly error: string | undefined;
  readonly onChange: (ids: string[]) => void;
}

function Networks({ ids, error, onChange }: NetworksProps) {
  const { data } = useRead("GET /v1/networks");
  const known = (data?.data ?? []).map(({ network_id, name }) => ({ value: String(network_id), label: name }));
  return (
    <MultiSelect
      label={wordOf(texts.networks, "networks")}
      data={known}
      value={[...ids]}
      error={error}
      onChange={onChange}
    />
  );
}

function bodyOf({ networks, hostmaster, tags }: More, ttl: number | undefined): ZoneBody {
  return {
    networks: networks.map(Number),
    ...(ttl === undefined ? {} : { nx_ttl: ttl }),
    ...(hostmaster.trim() === "" ? {} : { hostmaster: hostmaster.trim() }),
    ...(tags.length === 0 ? {} : { tags: tagsOfRows(tags) }),
  };
}
