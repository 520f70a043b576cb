/** A menu that copies a thing in several forms. */
import { Button, Menu } from "@mantine/core";
import { notifications } from "@mantine/notifications";
import { useState } from "react";
import { root } from "../api/client.ts";
import { kitTexts } from "../text/kit.ts";

export interface Form {
  readonly name: string;
  readonly text: () => string;
}

export function CopyAs({ forms }: { readonly forms: readonly Form[] }) {
  return (
    <Menu position="bottom-end">
      <Menu.Target>
        <Button variant="default" size="compact-sm">
          {kitTexts.copyAs}
        </Button>
      </Menu.Target>
      <Menu.Dropdown>
        {forms.map(({ name, text }) => (
          <Menu.Item key={name} onClick={() => void copy(text())}>
            {name}
          </Menu.Item>
        ))}
      </Menu.Dropdown>
    </Menu>
  );
}

async function copy(text: string): Promise<void> {
  await toClipboard(text);
  notifications.show({ message: kitTexts.copied, autoClose: 2000 });
}

/** Browsers have a clipboard for scripts only over HTTPS and on the machine itself. */
async function toClipboard(text: string): Promise<void> {
  if (window.isSecureContext) return await navigator.clipboard.writeText(text);
  const giveText = (event: ClipboardEvent) => {
    event.preventDefault();
    event.clipboardData?.setData("text/plain", text);
  };
  document.addEventListener("copy", giveText);
  document.execCommand("copy");
  document.removeEventListener("copy", giveText);
}

/** A small button that copies one text. */
export function Copy({ text }: { readonly text: string }) {
  const [copied, setCopied] = useState<string>();
  const run = async () => {
    await toClipboard(text);
    setCopied(text);
  };
  return (
    <Button variant="subtle" size="compact-xs" onClick={() => void run()}>
      {copied === text ? kitTexts.copied : kitTexts.copy}
    </Button>
  );
}

/** A call of the API for a shell; the key is a variable, since none is known here. */
export function curlOf(method: string, path: string, body?: unknown): string {
  const url = new URL(`.${path}`, root).href;
  const data = body === undefined ? "" : ` -d '${JSON.stringify(body).replaceAll("'", "'\\''")}'`;
  return `curl -sS -X ${method} -H "X-SERVICE-Key: $FAIRLEAD_KEY" '${url}'${data}`;
}
