/** The TSIG keys of the account. */
import { Button, Code, Group, Stack, Text, VisuallyHidden } from "@mantine/core";
import { useState } from "react";
import type { TsigKey } from "../../../api/types.ts";
import { useReadAll, useWrite } from "../../../kit/api.ts";
import { Copy } from "../../../kit/copy-as.tsx";
import { Empty } from "../../../kit/empty.tsx";
import { ErrorNote } from "../../../kit/error-note.tsx";
import { Name } from "../../../kit/name.tsx";
import { type Column, Table } from "../../../kit/table.tsx";
import { Time } from "../../../kit/time.tsx";
import { accountTexts as common } from "../../../text/account.ts";
import { tsigTexts as texts } from "../../../text/tsig.ts";
import { RemoveButton } from "../parts/remove-button.tsx";
import { TsigForm } from "./tsig-form.tsx";

const wide = "(min-width: 48em)";

export function Tsig() {
  const keys = useReadAll("GET /v1/tsig", { query: { limit: 500 } });
  const remove = useWrite("DELETE /v1/tsig/{name}", ["GET /v1/tsig$"]);
  // a key without a name is a new one
  const [edited, setEdited] = useState<Pick<TsigKey, "name" | "algorithm">>();
  const columns: readonly Column<TsigKey>[] = [
    { accessor: "name", title: texts.name, render: ({ name }) => <Name name={name} fw={600} /> },
    { accessor: "algorithm", title: texts.algorithm, visibleMediaQuery: wide },
    { accessor: "secret", title: texts.secret, render: (key) => <Secret of={key} /> },
    {
      accessor: "updated_at",
      title: texts.changed,
      visibleMediaQuery: wide,
      render: ({ updated_at }) => <Time at={updated_at} />,
    },
    {
      accessor: "acts",
      title: <VisuallyHidden>{common.acts}</VisuallyHidden>,
      textAlign: "right",
      render: (key) => (
        <Group gap="xs" justify="flex-end" wrap="nowrap">
          <Button
            size="compact-sm"
            variant="default"
            aria-label={texts.editAct(key.name)}
            onClick={() => setEdited(key)}
          >
            {texts.edit}
          </Button>
          <RemoveButton
            size="compact-sm"
            name={key.name}
            label={texts.removeAct(key.name)}
            act={texts.remove}
            title={texts.removeTitle(key.name)}
            text={texts.removeText}
            done={texts.removed(key.name)}
            write={remove}
            onRemove={(onSuccess) => remove.mutate({ path: { name: key.name } }, { onSuccess })}
          />
        </Group>
      ),
    },
  ];
  const add = <Button onClick={() => setEdited({ name: "", algorithm: "hmac-sha256" })}>{texts.add}</Button>;
  const isEmpty = !keys.isLoading && !keys.error && keys.rows.length === 0;
  return (
    <Stack gap="sm">
      <ErrorNote error={keys.error} onRetry={keys.retry} />
      {isEmpty ? (
        <Empty title={texts.emptyTitle} text={texts.hint}>
          {add}
        </Empty>
      ) : (
        <>
          <Group justify="space-between">
            <Text size="sm">{texts.hint}</Text>
            {add}
          </Group>
          <Table
            label={texts.label}
            rows={keys.rows}
            columns={columns}
            idOf={({ name }) => name}
            isLoading={keys.isLoading}
            total={keys.total}
            onMore={keys.more}
            empty={common.none}
            error={keys.error}
          />
        </>
      )}
      {edited && <TsigForm key={edited.name} edited={edited} onClose={() => setEdited(undefined)} />}
    </Stack>
  );
}

/** The secret, hidden until it is asked for; callers without access to all zones do not get it from the API. */
function Secret({ of: { name, secret } }: { readonly of: TsigKey }) {
  const [isShown, setShown] = useState(false);
  if (secret === undefined) {
    return (
      <Text size="sm" c="dimmed">
        {texts.hidden}
      </Text>
    );
  }
  return (
    <Group gap="xs">
      {isShown && <Code style={{ overflowWrap: "anywhere" }}>{secret}</Code>}
      {isShown && <Copy text={secret} />}
      <Button
        size="compact-xs"
        variant="subtle"
        aria-label={isShown ? texts.hideAct(name) : texts.revealAct(name)}
        onClick={() => setShown(!isShown)}
      >
        {isShown ? texts.hide : texts.reveal}
      </Button>
    </Group>
  );
}
