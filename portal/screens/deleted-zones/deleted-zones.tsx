/** Deleted zones: bring them back, or remove them for good. */
import { Button, Group } from "@mantine/core";
import { notifications } from "@mantine/notifications";
import { useState } from "react";
import type { DeletedZone } from "../../api/types.ts";
import { PageLink, useOpen } from "../../app/link.tsx";
import { useReadAll, useWrite } from "../../kit/api.ts";
import { Confirm } from "../../kit/confirm.tsx";
import { DangerButton } from "../../kit/danger-button.tsx";
import { Empty } from "../../kit/empty.tsx";
import { ErrorNote } from "../../kit/error-note.tsx";
import { Name } from "../../kit/name.tsx";
import { Page } from "../../kit/page.tsx";
import { visibleOf } from "../../kit/plain.ts";
import { type Column, Table } from "../../kit/table.tsx";
import { absolute, day, Time } from "../../kit/time.tsx";
import { deletedZonesTexts as texts } from "../../text/deleted-zones.ts";

const outdated = ["GET /v1/zones", "GET /v1/deletedzones"];

export function Screen() {
  const zones = useReadAll("GET /v1/deletedzones", { query: { limit: 100 } });
  const open = useOpen();
  const [removing, setRemoving] = useState<DeletedZone>();
  const back = useWrite("POST /v1/deletedzones/{zone}/undelete", outdated);
  const remove = useWrite("DELETE /v1/deletedzones/{zone}", outdated);

  const bringBack = ({ id, zone }: DeletedZone) =>
    back.mutate(
      { path: { zone: id } },
      {
        onSuccess: () => {
          notifications.show({ message: texts.back(zone), autoClose: 4000 });
          open({ to: "zone", params: { zone } });
        },
      },
    );
  const close = () => {
    remove.reset();
    setRemoving(undefined);
  };
  const columns: readonly Column<DeletedZone>[] = [
    { accessor: "zone", title: texts.zone, render: ({ zone }) => <Name name={zone} fw={600} /> },
    { accessor: "records", title: texts.records, textAlign: "right" },
    { accessor: "deleted_at", title: texts.deleted, render: ({ deleted_at }) => <Time at={deleted_at} /> },
    {
      accessor: "user",
      title: texts.by,
      render: ({ user }) => <bdi>{visibleOf(user.name)}</bdi>,
    },
    {
      accessor: "kept_until",
      title: texts.until,
      render: ({ kept_until }) => <span title={absolute(kept_until)}>{day(kept_until)}</span>,
    },
    {
      accessor: "acts",
      title: "",
      textAlign: "right",
      render: (row) => (
        <Group gap="xs" justify="flex-end">
          <Button
            variant="default"
            size="compact-sm"
            aria-label={texts.undeleteOf(row.zone)}
            loading={back.isPending && back.variables.path?.zone === row.id}
            onClick={() => bringBack(row)}
          >
            {texts.undelete}
          </Button>
          <DangerButton size="compact-sm" aria-label={texts.removeOf(row.zone)} onClick={() => setRemoving(row)}>
            {texts.remove}
          </DangerButton>
        </Group>
      ),
    },
  ];
  const isEmpty = zones.rows.length === 0 && !zones.isLoading && zones.error === null;
  return (
    <Page
      title={texts.title}
      about={isEmpty ? undefined : texts.about}
      error={zones.error}
      onRetry={zones.retry}
      acts={
        <PageLink to="zones" fz="sm">
          {texts.zones}
        </PageLink>
      }
    >
      <ErrorNote error={back.error} />
      {isEmpty ? (
        <Empty title={texts.emptyTitle} text={texts.emptyText} />
      ) : (
        <Table
          label={texts.label}
          rows={zones.rows}
          columns={columns}
          idOf={({ id }) => id}
          isLoading={zones.isLoading}
          total={zones.total}
          onMore={zones.more}
        />
      )}
      {removing && (
        <Confirm
          title={texts.removeTitle(removing.zone)}
          text={texts.removeText(removing.zone, removing.records)}
          act={texts.remove}
          name={removing.zone}
          isPending={remove.isPending}
          error={remove.error}
          onConfirm={() => remove.mutate({ path: { zone: removing.id } }, { onSuccess: close })}
          onClose={close}
        />
      )}
    </Page>
  );
}
