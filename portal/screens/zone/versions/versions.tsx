/** The versions of the zone: what each changed, the difference of two, and the way back. */
import { Alert, Button, Checkbox, Group, Stack, Text } from "@mantine/core";
import { useState } from "react";
import type { Version, Zone } from "../../../api/types.ts";
import { useOpen } from "../../../app/link.tsx";
import { useAddress } from "../../../kit/address.ts";
import { useReadAll } from "../../../kit/api.ts";
import { ErrorNote } from "../../../kit/error-note.tsx";
import { Table } from "../../../kit/table.tsx";
import { versionsTexts as texts } from "../../../text/zone-versions.ts";
import { AtTime } from "./at-time.tsx";
import { columnsOf } from "./columns.tsx";
import { Difference } from "./difference.tsx";
import { RestoreZone } from "./restore-zone.tsx";
import { SaveVersion } from "./save-version.tsx";

export function Versions({ zone }: { readonly zone: Zone }) {
  const name = zone.zone;
  const open = useOpen();
  const [saved, setSaved] = useAddress("saved");
  const [from] = useAddress("from");
  const [to] = useAddress("to");
  const [selected, setSelected] = useState<readonly Version[]>([]);
  const [restoring, setRestoring] = useState<number>();
  const query = { limit: 100, ...(saved === "" ? {} : { saved: true }) };
  const read = useReadAll("GET /v1/zones/{zone}/versions", { path: { zone: name }, query });

  const goTo = (search: { readonly [name: string]: string | undefined }) =>
    open({ to: "zone", params: { zone: name }, search });
  const isSecondary = zone.secondary?.["enabled"] === true;
  const canRestore = !isSecondary && zone.link === null;
  const compare = () => {
    const [older, newer] = selected.map(({ id }) => id).sort((a, b) => a - b);
    goTo({ tab: "versions", saved, from: String(older), to: String(newer) });
  };
  const columns = columnsOf({
    canRestore,
    onShow: ({ id }) => goTo({ tab: "versions", saved, to: String(id) }),
    onView: ({ id }) => goTo({ version: String(id) }),
    onRestore: ({ id }) => setRestoring(id),
  });
  return (
    <Stack gap="sm">
      <Text size="sm" c="dimmed">
        {texts.about}
      </Text>
      {isSecondary && <Alert color="gray">{texts.secondary}</Alert>}
      <Group gap="lg" align="flex-end">
        <AtTime onOpen={(seconds) => goTo({ at: String(seconds) })} />
        {canRestore && <SaveVersion zone={name} />}
        <Checkbox
          label={texts.savedOnly}
          checked={saved !== ""}
          mb={8}
          onChange={(event) => setSaved(event.currentTarget.checked ? "yes" : "")}
        />
      </Group>
      {to !== "" && (
        <Difference
          zone={name}
          from={from === "" ? undefined : Number(from)}
          to={Number(to)}
          canRestore={canRestore}
          onClose={() => goTo({ tab: "versions", saved })}
        />
      )}
      <ErrorNote error={read.error} onRetry={read.retry} />
      <Group gap="xs" mih={30}>
        {selected.length === 2 ? (
          <Button size="compact-sm" onClick={compare}>
            {texts.compare}
          </Button>
        ) : (
          <Text size="sm" c="dimmed">
            {texts.compareHint}
          </Text>
        )}
      </Group>
      <Table
        label={texts.label}
        rows={read.rows}
        columns={columns}
        idOf={({ id }) => String(id)}
        isLoading={read.isLoading}
        total={read.total}
        onMore={read.more}
        hasActs
        onOpen={({ id }) => goTo({ tab: "versions", saved, to: String(id) })}
        selected={selected}
        onSelect={(rows) => setSelected(rows.slice(-2))}
      />
      {restoring !== undefined && (
        <RestoreZone zone={name} version={restoring} onClose={() => setRestoring(undefined)} />
      )}
    </Stack>
  );
}
