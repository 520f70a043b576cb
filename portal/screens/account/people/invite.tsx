/** The form that invites a user: name and address, teams, or rights of their own. */
import { Alert, Code, Stack, Text } from "@mantine/core";
import { notifications } from "@mantine/notifications";
import { useState } from "react";
import { useOpen } from "../../../app/link.tsx";
import { useWrite } from "../../../kit/api.ts";
import { messageFor } from "../../../kit/error-note.tsx";
import { Form } from "../../../kit/form.tsx";
import { useKept } from "../../../kit/kept.ts";
import { TextField } from "../../../kit/text-field.tsx";
import { accountTexts as common } from "../../../text/account.ts";
import { peopleTexts as texts } from "../../../text/people.ts";
import { Detail } from "../parts/detail.tsx";
import { TeamsField } from "../parts/teams-field.tsx";
import { type Given, permissionsOf } from "../rights/given.ts";
import { Matrix } from "../rights/matrix.tsx";
import { zonesOnly } from "../rights/start-from.tsx";
import { useKnownRights } from "../rights/use-known-rights.ts";

interface Typed {
  readonly username: string;
  readonly email: string;
  readonly name: string;
  readonly teams: readonly string[];
  readonly given: Given;
}

const blank: Typed = { username: "", email: "", name: "", teams: [], given: zonesOnly };
export const fields = [
  ["username", texts.username, texts.usernameHint],
  ["email", texts.email, undefined],
  ["name", texts.fullName, undefined],
] as const;

export function Invite() {
  const open = useOpen();
  const known = useKnownRights();
  const [typed, keep, forget] = useKept<Typed>("invite", blank);
  // only edition ddi replies with a token, which is shown here and kept nowhere
  const [token, setToken] = useState<string>();
  const { mutate, isPending, error } = useWrite("PUT /v1/account/users", ["GET /v1/account/users"]);
  const submit = () => {
    const { given, teams, ...named } = typed;
    const rights = teams.length > 0 ? { teams: [...teams] } : { permissions: permissionsOf(given) };
    mutate(
      { body: { ...named, ...rights } },
      {
        onSuccess: ({ data }) => {
          forget();
          notifications.show({ message: texts.invited(data.username) });
          if (data.invite_token === undefined) {
            open({ to: "accountPage", params: { page: "people" }, search: { user: data.username } });
          } else setToken(data.invite_token);
        },
      },
    );
  };
  if (token !== undefined) {
    return (
      <Detail page="people" title={texts.invite}>
        <Alert>
          <Text size="sm">{texts.token}</Text>
          <Code>{token}</Code>
        </Alert>
      </Detail>
    );
  }
  return (
    <Detail page="people" title={texts.invite}>
      <Form
        act={texts.inviteAct}
        isPending={isPending}
        error={error}
        onSubmit={submit}
        other={[common.discard, forget]}
      >
        <Stack gap="sm" maw={480}>
          <Text size="sm">{texts.inviteHint}</Text>
          {fields.map(([name, label, description]) => (
            <TextField
              key={name}
              label={label}
              description={description}
              type={name === "email" ? "email" : "text"}
              required={name !== "name"}
              value={typed[name]}
              error={messageFor(error, name)}
              onChange={(text) => keep({ ...typed, [name]: text })}
            />
          ))}
          <TeamsField
            value={typed.teams}
            error={messageFor(error, "teams")}
            onChange={(teams) => keep({ ...typed, teams })}
          />
        </Stack>
        {typed.teams.length === 0 && (
          <>
            <Text size="sm">{texts.allRights}</Text>
            <Matrix
              given={typed.given}
              onChange={(given) => keep({ ...typed, given })}
              known={known}
              isNew
              error={error}
            />
          </>
        )}
      </Form>
    </Detail>
  );
}
