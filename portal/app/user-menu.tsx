/** The menu of the user: their own pages, the colours, and signing out. */
import { Button, Menu, useMantineColorScheme } from "@mantine/core";
import { root } from "../api/client.ts";
import { shellTexts as texts } from "../text/shell.ts";
import { useOpen } from "./link.tsx";
import { useSession } from "./session.tsx";

const schemes = [
  ["light", texts.light],
  ["dark", texts.dark],
  ["auto", texts.system_scheme],
] as const;

export function UserMenu() {
  const { user, signOut } = useSession();
  const { colorScheme, setColorScheme } = useMantineColorScheme();
  const open = useOpen();
  return (
    <Menu position="bottom-end" width={240}>
      <Menu.Target>
        <Button
          variant="subtle"
          color="gray"
          size="compact-sm"
          maw={160}
          aria-label={`${texts.user}: ${user.username}`}
        >
          {user.username}
        </Button>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Item onClick={() => open({ to: "accountPage", params: { page: "security" } })}>
          {texts.password}
        </Menu.Item>
        <Menu.Item onClick={() => open({ to: "changes" })}>{texts.changes}</Menu.Item>
        <Menu.Item onClick={() => open({ to: "system" })}>{texts.system}</Menu.Item>
        <Menu.Item component="a" href={new URL("docs", root).href} target="_blank" rel="noreferrer">
          {texts.reference}
        </Menu.Item>
        <Menu.Label>{texts.scheme}</Menu.Label>
        {schemes.map(([scheme, text]) => (
          <Menu.Item
            key={scheme}
            role="menuitemradio"
            aria-checked={colorScheme === scheme}
            onClick={() => setColorScheme(scheme)}
            rightSection={colorScheme === scheme ? "✓" : undefined}
          >
            {text}
          </Menu.Item>
        ))}
        <Menu.Divider />
        <Menu.Item onClick={() => void signOut()}>{texts.signOut}</Menu.Item>
      </Menu.Dropdown>
    </Menu>
  );
}
