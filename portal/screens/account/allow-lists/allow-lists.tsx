/** The allow lists of the account, and whether an address would get in. */
import { Button, Stack, Text } from "@mantine/core";
import { useState } from "react";
import type { AllowList } from "../../../api/types.ts";
import { useReadAll, useWrite } from "../../../kit/api.ts";
import { actsColumn, Listing } from "../../../kit/listing.tsx";
import { RemoveButton } from "../../../kit/remove-button.tsx";
import type { Column } from "../../../kit/table.tsx";
import { accountTexts as common } from "../../../text/account.ts";
import { allowListsTexts as texts } from "../../../text/allow-lists.ts";
import { AddressCheck } from "./address-check.tsx";
import { ListForm, outdated } from "./list-form.tsx";

export function AllowLists() {
  const lists = useReadAll("GET /v1/account/whitelist");
  const remove = useWrite("DELETE /v1/account/whitelist/{id}", outdated);
  // a list without an id is a new one
  const [edited, setEdited] = useState<AllowList>();
  const columns: readonly Column<AllowList>[] = [
    { accessor: "name", title: common.name, render: ({ name }) => <b>{name}</b> },
    {
      accessor: "values",
      title: texts.values,
      render: ({ values }) => <span className="name">{values.length === 0 ? texts.none : values.join(", ")}</span>,
    },
    actsColumn((list) => (
      <>
        <Button
          size="compact-sm"
          variant="default"
          aria-label={texts.editAct(list.name)}
          onClick={() => setEdited(list)}
        >
          {texts.edit}
        </Button>
        <RemoveButton
          texts={texts}
          name={list.name}
          write={remove}
          onRemove={(onSuccess) => remove.mutate({ path: { id: list.id } }, { onSuccess })}
        />
      </>
    )),
  ];
  const add = <Button onClick={() => setEdited({ id: "", name: "", values: [] })}>{texts.add}</Button>;
  return (
    <Stack gap="xl">
      <div>
        <Listing
          read={lists}
          head={
            <Text size="sm" maw={760}>
              {texts.hint}
            </Text>
          }
          add={add}
          first={{ title: texts.emptyTitle, text: texts.emptyText }}
          label={texts.label}
          columns={columns}
          idOf={({ id }) => id}
        />
      </div>
      <AddressCheck />
      {edited && <ListForm key={edited.id} list={edited} onClose={() => setEdited(undefined)} />}
    </Stack>
  );
}
