/** The TSIG keys of the account. */
import { Button, Code, Group, Text } from "@mantine/core";
import { useState } from "react";
import type { TsigKey } from "../../../api/types.ts";
import { useReadAll, useWrite } from "../../../kit/api.ts";
import { Copy } from "../../../kit/copy-as.tsx";
import { actsColumn, Listing } from "../../../kit/listing.tsx";
import { Name } from "../../../kit/name.tsx";
import { RemoveButton } from "../../../kit/remove-button.tsx";
import type { Column } from "../../../kit/table.tsx";
import { Time } from "../../../kit/time.tsx";
import { tsigTexts as texts } from "../../../text/tsig.ts";
import { TsigForm } from "./tsig-form.tsx";

export function Tsig() {
  const keys = useReadAll("GET /v1/tsig", { query: { limit: 500 } });
  const remove = useWrite("DELETE /v1/tsig/{name}", ["GET /v1/tsig$"]);
  // a key without a name is a new one
  const [edited, setEdited] = useState<Pick<TsigKey, "name" | "algorithm">>();
  const columns: readonly Column<TsigKey>[] = [
    { accessor: "name", title: texts.name, render: ({ name }) => <Name name={name} fw={600} /> },
    { accessor: "algorithm", title: texts.algorithm },
    { accessor: "secret", title: texts.secret, render: (key) => <Secret of={key} /> },
    {
      accessor: "updated_at",
      title: texts.changed,
      render: ({ updated_at }) => <Time at={updated_at} />,
    },
    actsColumn(({ name, algorithm }) => (
      <>
        <Button
          size="compact-sm"
          variant="default"
          aria-label={texts.editAct(name)}
          onClick={() => setEdited({ name, algorithm })}
        >
          {texts.edit}
        </Button>
        <RemoveButton
          texts={texts}
          name={name}
          isTyped
          write={remove}
          onRemove={(onSuccess) => remove.mutate({ path: { name } }, { onSuccess })}
        />
      </>
    )),
  ];
  const add = <Button onClick={() => setEdited({ name: "", algorithm: "hmac-sha256" })}>{texts.add}</Button>;
  return (
    <>
      <Listing
        read={keys}
        head={<Text size="sm">{texts.hint}</Text>}
        add={add}
        first={{ title: texts.emptyTitle, text: texts.hint }}
        label={texts.label}
        columns={columns}
        idOf={({ name }) => name}
      />
      {edited && <TsigForm key={edited.name} edited={edited} onClose={() => setEdited(undefined)} />}
    </>
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
      {isShown && <Code>{secret}</Code>}
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
