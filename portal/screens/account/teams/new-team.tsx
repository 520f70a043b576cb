/** The form for a new team: its name and its rights. */
import { notifications } from "@mantine/notifications";
import { useOpen } from "../../../app/link.tsx";
import { useWrite } from "../../../kit/api.ts";
import { messageFor } from "../../../kit/error-note.tsx";
import { Form } from "../../../kit/form.tsx";
import { useKept } from "../../../kit/kept.ts";
import { TextField } from "../../../kit/text-field.tsx";
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
  const submit = () =>
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
  return (
    <Detail page="teams" title={texts.add}>
      <Form act={texts.create} isPending={isPending} error={error} onSubmit={submit} other={[common.discard, forget]}>
        <TextField
          maw={480}
          label={texts.name}
          required
          value={typed.name}
          error={messageFor(error, "name")}
          onChange={(name) => keep({ ...typed, name })}
        />
        <Matrix given={typed.given} onChange={(given) => keep({ ...typed, given })} known={known} isNew error={error} />
      </Form>
    </Detail>
  );
}
