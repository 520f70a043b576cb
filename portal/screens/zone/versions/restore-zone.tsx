/** Asks, then restores the zone to a version. */
import { notifications } from "@mantine/notifications";
import { useWrite } from "../../../kit/api.ts";
import { Confirm } from "../../../kit/confirm.tsx";
import { Guarded, isGuarded } from "../../../kit/guarded.tsx";
import { versionsTexts as texts } from "../../../text/zone-versions.ts";

interface Props {
  readonly zone: string;
  readonly version: number;
  readonly onClose: () => void;
}

export function RestoreZone({ zone, version, onClose }: Props) {
  const write = useWrite("POST /v1/zones/{zone}/versions/{id}/activate", ["GET /v1/zones"]);
  const restore = (isConfirmed: boolean) =>
    write.mutate(
      { path: { zone, id: String(version) }, query: isConfirmed ? { confirm_deletions: true } : {} },
      {
        onSuccess: () => {
          notifications.show({ message: texts.restored, autoClose: 4000 });
          onClose();
        },
      },
    );
  return isGuarded(write.error) ? (
    <Guarded
      error={write.error}
      isPending={write.isPending}
      act={texts.restoreAnyway}
      onConfirm={() => restore(true)}
      onClose={onClose}
    />
  ) : (
    <Confirm
      title={texts.restoreTitle(version)}
      text={texts.restoreText(zone, version)}
      act={texts.restoreAct}
      isPending={write.isPending}
      error={write.error}
      onConfirm={() => restore(false)}
      onClose={onClose}
    />
  );
}
