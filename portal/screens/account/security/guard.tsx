/** Which deletions need a confirmation, for the whole account. */
import { Title } from "@mantine/core";
import { useRead, useWrite } from "../../../kit/api.ts";
import { ErrorNote, messageFor } from "../../../kit/error-note.tsx";
import { securityTexts as texts } from "../../../text/security.ts";
import { GuardField, withGuard } from "../parts/guard-field.tsx";
import { SettingsForm } from "../parts/settings-form.tsx";
import { useForm } from "../parts/use-form.ts";

export function Guard() {
  const { data, error, refetch } = useRead("GET /v1/account/settings");
  // not for users who have not the right to change it
  if (error && error.status !== 403) return <ErrorNote error={error} onRetry={() => void refetch()} />;
  return data ? <GuardForm stored={data.data.deletion_guard ?? ""} /> : null;
}

function GuardForm({ stored }: { readonly stored: string }) {
  const form = useForm("guard", { deletion_guard: stored });
  const write = useWrite("POST /v1/account/settings", ["GET /v1/account/settings"]);
  return (
    <SettingsForm
      form={form}
      act={texts.guardSave}
      write={write}
      maw={640}
      onSave={(onSuccess) => write.mutate({ body: withGuard(form.changes) }, { onSuccess })}
    >
      <Title order={2}>{texts.guardTitle}</Title>
      <GuardField
        hint={texts.guardHint}
        unset={texts.guardUnset}
        value={form.value.deletion_guard}
        error={messageFor(write.error, "deletion_guard")}
        onChange={(guard) => form.set({ deletion_guard: guard })}
      />
    </SettingsForm>
  );
}
