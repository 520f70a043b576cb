/** Whether a user would get in from an address: the service's own answer, with each list that applies. */
import { Button, Group, Stack, Text, Title } from "@mantine/core";
import { useNavigate } from "@tanstack/react-router";
import { useState } from "react";
import { useSession } from "../../../app/session.tsx";
import { useAddress } from "../../../kit/address.ts";
import { ErrorNote, messageFor } from "../../../kit/error-note.tsx";
import { sending } from "../../../kit/form.tsx";
import { TextField } from "../../../kit/text-field.tsx";
import { allowListsTexts as texts } from "../../../text/allow-lists.ts";
import { Admits } from "../rights/admits.tsx";
import { useEffective } from "../rights/use-effective.ts";

export function AddressCheck() {
  const { user: me } = useSession();
  const [address] = useAddress("address");
  const [user] = useAddress("user", me.username);
  const [typed, setTyped] = useState({ address, user });
  const navigate = useNavigate();
  const { data, error } = useEffective({ kind: "users", id: user }, { address }, address !== "");
  const ask = () => {
    const asked = { address: typed.address.trim() || undefined, user: typed.user.trim() || undefined };
    void navigate({ to: ".", search: asked as never, replace: true });
  };
  const message = messageFor(error, "address");
  const isIn = data?.allow_lists.every(({ admits }) => admits !== false) ?? false;
  return (
    <Stack gap="xs">
      <Title order={2}>{texts.check}</Title>
      <Text size="sm" c="dimmed" maw={760}>
        {texts.checkHint}
      </Text>
      <form onSubmit={sending(ask)}>
        <Group align="flex-start" gap="xs">
          <TextField
            label={texts.address}
            placeholder="192.0.2.1"
            isName
            value={typed.address}
            error={message}
            onChange={(text) => setTyped({ ...typed, address: text })}
          />
          <TextField
            label={texts.user}
            isName
            value={typed.user}
            onChange={(text) => setTyped({ ...typed, user: text })}
          />
          <Button type="submit" variant="default" mt={24}>
            {texts.checkAct}
          </Button>
        </Group>
      </form>
      {message === undefined && <ErrorNote error={error} />}
      {data && address !== "" && (
        <div role="status">
          <Text size="sm" fw={600} mb={4}>
            {isIn ? texts.in(user, address) : texts.out(user, address)}
          </Text>
          <Admits lists={data.allow_lists} isAsked />
        </div>
      )}
    </Stack>
  );
}
