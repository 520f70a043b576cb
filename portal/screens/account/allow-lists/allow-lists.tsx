/** The allow lists of the account, and whether an address would get in. */
import { Button, Group, Stack, Table, Text, VisuallyHidden } from "@mantine/core";
import { useState } from "react";
import type { AllowList } from "../../../api/types.ts";
import { useRead, useWrite } from "../../../kit/api.ts";
import { Empty } from "../../../kit/empty.tsx";
import { ErrorNote } from "../../../kit/error-note.tsx";
import { accountTexts as common } from "../../../text/account.ts";
import { allowListsTexts as texts } from "../../../text/allow-lists.ts";
import classes from "../account.module.css";
import { RemoveButton } from "../parts/remove-button.tsx";
import { AddressCheck } from "./address-check.tsx";
import { ListForm } from "./list-form.tsx";

export function AllowLists() {
  const { data, error, refetch } = useRead("GET /v1/account/whitelist");
  // a list without an id is a new one
  const [edited, setEdited] = useState<AllowList>();
  const lists = data?.data;
  const add = <Button onClick={() => setEdited({ id: "", name: "", values: [] })}>{texts.add}</Button>;
  return (
    <Stack gap="xl">
      <Stack gap="sm">
        <ErrorNote error={error} onRetry={() => void refetch()} />
        {lists?.length === 0 && (
          <Empty title={texts.emptyTitle} text={texts.emptyText}>
            {add}
          </Empty>
        )}
        {lists && lists.length > 0 && (
          <>
            <Text size="sm" maw={760}>
              {texts.hint}
            </Text>
            <Group justify="flex-end">{add}</Group>
            <Lists lists={lists} onEdit={setEdited} />
          </>
        )}
      </Stack>
      <AddressCheck />
      {edited && <ListForm key={edited.id} list={edited} onClose={() => setEdited(undefined)} />}
    </Stack>
  );
}

interface ListsProps {
  readonly lists: readonly AllowList[];
  readonly onEdit: (list: AllowList) => void;
}

function Lists({ lists, onEdit }: ListsProps) {
  const remove = useWrite("DELETE /v1/account/whitelist/{id}", ["GET /v1/account/whitelist", "GET /v1/account/users"]);
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls has to be reached with keys
    <section className={classes["scroll"]} tabIndex={0} aria-label={texts.label}>
      <Table fz="sm" withTableBorder>
        <Table.Thead>
          <Table.Tr>
            <Table.Th>{common.name}</Table.Th>
            <Table.Th>{texts.values}</Table.Th>
            <Table.Th>
              <VisuallyHidden>{common.acts}</VisuallyHidden>
            </Table.Th>
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {lists.map((list) => (
            <Table.Tr key={list.id}>
              <Table.Td fw={600}>{list.name}</Table.Td>
              <Table.Td className="name">{list.values.length === 0 ? texts.none : list.values.join(", ")}</Table.Td>
              <Table.Td>
                <Group gap="xs" justify="flex-end" wrap="nowrap">
                  <Button
                    size="compact-sm"
                    variant="default"
                    aria-label={texts.editAct(list.name)}
                    onClick={() => onEdit(list)}
                  >
                    {texts.edit}
                  </Button>
                  <RemoveButton
                    size="compact-sm"
                    label={texts.removeAct(list.name)}
                    act={texts.remove}
                    title={texts.removeTitle(list.name)}
                    text={texts.removeText}
                    done={texts.removed(list.name)}
                    write={remove}
                    onRemove={(onSuccess) => remove.mutate({ path: { id: list.id } }, { onSuccess })}
                  />
                </Group>
              </Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </section>
  );
}
