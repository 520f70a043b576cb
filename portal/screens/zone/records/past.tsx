/** An earlier state of the zone: which one the address names, and the way back to now. */
import { Alert, Button, Group } from "@mantine/core";
import { useOpen } from "../../../app/link.tsx";
import { useAddress } from "../../../kit/address.ts";
import { Time } from "../../../kit/time.tsx";
import { recordsTexts as texts } from "../../../text/records.ts";
import type { Moment } from "./use-records.ts";

/** The state that the address names: `version`, or `at` in Unix seconds; the present one otherwise. */
export function useMoment(): Moment {
  const [version] = useAddress("version");
  const [at] = useAddress("at");
  if (/^\d+$/.test(version)) return { version: Number(version) };
  return at === "" ? {} : { at };
}

export function Past({ moment: { version, at }, zone }: { readonly moment: Moment; readonly zone: string }) {
  const open = useOpen();
  return (
    <Alert color="blue" role="status">
      <Group justify="space-between">
        <span>
          {texts.past} {version === undefined ? <Time at={Number(at)} /> : texts.pastVersion(String(version))}
        </span>
        <Button size="compact-sm" variant="default" onClick={() => open({ to: "zone", params: { zone } })}>
          {texts.back}
        </Button>
      </Group>
    </Alert>
  );
}
