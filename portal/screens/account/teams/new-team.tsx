/** The form for a new team: its name and its rights. */
import { Button, Group, Stack, TextInput } from "@mantine/core";
import { notifications } from "@mantine/notifications";
import type { FormEvent } from "react";
import { useOpen } from "../../../app/link.tsx";
import { useWrite } from "../../../kit/api.ts";
import { ErrorNote, messageFor } from "../../../kit/error-note.tsx";
import { useKept } from "../../../kit/kept.ts";
import { accountTexts as common } from "../../../text/account.ts";
import { teamsTexts as texts } from "../../../text/teams.ts";
import { Detail } from "../parts/detail.tsx";
import { type Given, nothingGiven, permissionsOf } from "../rights/given.ts";
import { Matrix } from "../rights/matrix.tsx";
import { useKnownRights } from "../rights/use-known-rights.ts";

interface Typed {
  readonly name: string;
  readonly given: Given;
}

const blank: Typed = { name: "", given: { ...nothingGiven, denies: true } };

export function NewTeam() {
  const open = useOpen();
  const known = useKnownRights();
  const [typed, keep, forget] = useKept<Typed>("new-team", blank);
  const { mutate, isPending, error } = useWrite("PUT /v1/account/teams", ["GET /v1/account/teams"]);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    mutate(
      { body: { name: typed.name, permissions: permissionsOf(typed.given) } },
      {
        onSuccess: ({ data }) => {
          forget();
          notifications.show({ message: texts.created(data.name) });
          open({ to: "accountPage", params: { page: "teams" }, search: { team: data.id } });
        },
      },
    );
  };
  return (
    <Detail page="teams" title={texts.add}>
      <form onSubmit={submit}>
        <Stack>
          <TextInput
            maw={480}
            label={texts.name}
            autoComplete="off"
            required
            value={typed.name}
            error={messageFor(error, "name")}
            onChange={(event) => keep({ ...typed, name: event.currentTarget.value })}
          />
          <Matrix
            given={typed.given}
            onChange={(given) => keep({ ...typed, given })}
            known={known}
            isNew
            error={error}
          />
          <ErrorNote error={error} />
          <Group>
            <Button type="submit" loading={isPending}>
              {texts.create}
            </Button>
            <Button variant="default" onClick={forget}>
              {common.discard}
            </Button>
          </Group>
        </Stack>
      </form>
    </Detail>
  );
}
