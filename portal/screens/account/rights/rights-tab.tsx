/** Changing the rights of a user, key or team that exists. Only what differs is sent. */
import { Loader, Stack, Text, Title } from "@mantine/core";
import type { ApiError } from "../../../api/client.ts";
import type { Permissions } from "../../../api/types.ts";
import { ErrorNote } from "../../../kit/error-note.tsx";
import { useKept } from "../../../kit/kept.ts";
import { rightsTexts as texts } from "../../../text/rights.ts";
import { SettingsForm } from "../parts/settings-form.tsx";
import { changesOf, type Given, givenOf } from "./given.ts";
import { Matrix } from "./matrix.tsx";
import { type Holder, useEffective } from "./use-effective.ts";

interface Props {
  readonly holder: Holder;
  readonly permissions: Permissions;
  /** Whether the holder is in teams, whose rights then apply. */
  readonly isInTeams: boolean;
  readonly write: { readonly isPending: boolean; readonly error: ApiError | null };
  readonly onSave: (permissions: Permissions, onSaved: () => void) => void;
}

export function RightsTab({ holder, permissions, isInTeams, write, onSave }: Props) {
  const effective = useEffective(holder);
  const [kept, keep, forget] = useKept<Given | null>(`rights:${holder.kind}:${holder.id}`, null);
  if (isInTeams) {
    return (
      <Stack gap={4} maw={640}>
        <Title order={3}>{texts.inTeams}</Title>
        <Text size="sm">{texts.inTeamsText}</Text>
      </Stack>
    );
  }
  if (effective.error) return <ErrorNote error={effective.error} onRetry={effective.retry} />;
  if (!effective.data) return <Loader size="sm" />;
  const before = givenOf(permissions, effective.data);
  const given = kept ?? before;
  const { count, body } = changesOf(before, given);
  return (
    <SettingsForm
      form={{ count, forget }}
      act={texts.save}
      saved={texts.saved}
      write={write}
      onSave={(onSaved) => onSave(body, onSaved)}
    >
      <Matrix
        given={given}
        onChange={keep}
        known={effective.data.rights.map(({ right }) => right)}
        error={write.error}
      />
    </SettingsForm>
  );
}
