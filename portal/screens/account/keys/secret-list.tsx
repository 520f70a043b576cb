/** The secrets of a key: until when each is valid, and whether it is on. Their texts are never shown again. */
import { Button, Group, Stack, Text } from "@mantine/core";
import type { ApiKey } from "../../../api/types.ts";
import { useWrite } from "../../../kit/api.ts";
import { ErrorNote } from "../../../kit/error-note.tsx";
import { RemoveButton } from "../../../kit/remove-button.tsx";
import { ScrollTable } from "../../../kit/scroll-table.tsx";
import { State } from "../../../kit/state.tsx";
import { Time } from "../../../kit/time.tsx";
import { accountTexts as common } from "../../../text/account.ts";
import { keysTexts as texts } from "../../../text/keys.ts";
import { endOf } from "./validity.tsx";

const outdated = ["GET /v1/account/apikeys"];

export function SecretList({ apiKey: { id, secrets = [] } }: { readonly apiKey: ApiKey }) {
  const change = useWrite("POST /v1/account/apikeys/{keyid}/secrets/{secretid}", outdated);
  const remove = useWrite("DELETE /v1/account/apikeys/{keyid}/secrets/{secretid}", outdated);
  if (secrets.length === 0) {
    return (
      <Text size="sm" c="dimmed">
        {texts.noSecrets}
      </Text>
    );
  }
  return (
    <Stack gap="xs">
      <ErrorNote error={change.error} />
      <ScrollTable
        label={texts.secrets}
        heads={[texts.secret, texts.expires, common.lastAccess, texts.state]}
        rows={secrets.map((secret) => {
          const path = { keyid: id, secretid: secret.id };
          const isOver = endOf(secret) * 1000 <= Date.now();
          const act = secret.enabled ? texts.disable : texts.enable;
          const state = isOver
            ? ({ is: "refused", text: texts.expired } as const)
            : ({ is: secret.enabled ? "ok" : "off", text: secret.enabled ? texts.on : texts.off } as const);
          return {
            id: secret.id,
            cells: [
              <span key="id" className="name">
                {secret.id}
              </span>,
              <Time key="expires" at={endOf(secret)} />,
              <Time key="used" at={secret.last_access} />,
              <State key="state" {...state} />,
              <Group key="acts" gap="xs" wrap="nowrap" justify="flex-end">
                <Button
                  size="compact-sm"
                  variant="default"
                  aria-label={texts.secretAct(act, secret.id)}
                  onClick={() => change.mutate({ path, body: { enabled: !secret.enabled } })}
                >
                  {act}
                </Button>
                <RemoveButton
                  texts={texts.ofSecret}
                  name={secret.id}
                  write={remove}
                  onRemove={(onSuccess) => remove.mutate({ path }, { onSuccess })}
                />
              </Group>,
            ],
          };
        })}
      />
    </Stack>
  );
}
