/** Deletes the zone, which can be brought back for some time. */
import { Group } from "@mantine/core";
import { useState } from "react";
import { useOpen } from "../../../app/link.tsx";
import { useRead, useWrite } from "../../../kit/api.ts";
import { Confirm } from "../../../kit/confirm.tsx";
import { DangerButton } from "../../../kit/danger-button.tsx";
import { Guarded, isGuarded } from "../../../kit/guarded.tsx";
import { settingsTexts as texts } from "../../../text/zone-settings.ts";
import { Section } from "./section.tsx";

export function DeleteZone({ zone }: { readonly zone: string }) {
  const [isAsked, setAsked] = useState(false);
  const open = useOpen();
  const query = { limit: 1 };
  const { data } = useRead("GET /v1/zones/{zone}", { path: { zone }, query, enabled: isAsked });
  const write = useWrite("DELETE /v1/zones/{zone}", ["GET /v1/zones$", "GET /v1/deletedzones"]);
  const remove = (isConfirmed: boolean) =>
    write.mutate(
      { path: { zone }, query: isConfirmed ? { confirm_deletions: true } : {} },
      { onSuccess: () => open({ to: "deletedZones" }) },
    );
  const close = () => {
    write.reset();
    setAsked(false);
  };
  return (
    <Section title={texts.delete} about={texts.deleteAbout}>
      <Group>
        <DangerButton onClick={() => setAsked(true)}>{texts.delete}</DangerButton>
      </Group>
      {isAsked && !isGuarded(write.error) && (
        <Confirm
          title={texts.deleteTitle(zone)}
          text={texts.deleteText(zone, data?.total)}
          act={texts.delete}
          isPending={write.isPending}
          error={write.error}
          onConfirm={() => remove(false)}
          onClose={close}
        />
      )}
      <Guarded
        error={write.error}
        isPending={write.isPending}
        act={texts.deleteAnyway}
        onConfirm={() => remove(true)}
        onClose={close}
      />
    </Section>
  );
}
