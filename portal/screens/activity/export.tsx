/** The menu that saves the entries that match as a file. */
import { Button, Menu } from "@mantine/core";
import { useState } from "react";
import type { ApiError } from "../../api/client.ts";
import { saveReply } from "../../kit/save-reply.ts";
import { activityTexts as texts } from "../../text/activity.ts";

interface Props {
  readonly query: { readonly [name: string]: string | undefined };
  readonly onError: (error: ApiError | null) => void;
}

const formats = Object.keys(texts.exportOf) as (keyof typeof texts.exportOf)[];

export function Export({ query, onError }: Props) {
  const [isPending, setPending] = useState(false);
  const save = async (format: keyof typeof texts.exportOf) => {
    setPending(true);
    const given = { query: { ...query, export: format } };
    onError((await saveReply("GET /v1/account/activity", given, `activity.${format}`)) ?? null);
    setPending(false);
  };
  return (
    <Menu position="bottom-end">
      <Menu.Target>
        <Button variant="default" loading={isPending}>
          {texts.export}
        </Button>
      </Menu.Target>
      <Menu.Dropdown>
        {formats.map((format) => (
          <Menu.Item key={format} onClick={() => void save(format)}>
            {texts.exportOf[format]}
          </Menu.Item>
        ))}
      </Menu.Dropdown>
    </Menu>
  );
}
