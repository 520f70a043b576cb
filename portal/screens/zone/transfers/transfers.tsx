/** Exchange of the zone with other servers: where it comes from, and who gets it. */
import { Alert, Stack } from "@mantine/core";
import type { Zone } from "../../../api/types.ts";
import { transfersTexts as texts } from "../../../text/zone-transfers.ts";
import { Preview } from "./preview.tsx";
import { Serials } from "./serials.tsx";
import { SourceForm } from "./source-form.tsx";
import { Targets } from "./targets.tsx";

export function Transfers({ zone }: { readonly zone: Zone }) {
  if (zone.link !== null) {
    return (
      <Stack maw={860}>
        <Alert color="gray">{texts.linked(zone.link)}</Alert>
        <Preview zone={zone.zone} />
      </Stack>
    );
  }
  const isSecondary = zone.secondary?.["enabled"] === true;
  return (
    <Stack maw={860} gap="lg">
      {isSecondary && <Serials zone={zone} />}
      {isSecondary && <SourceForm zone={zone} />}
      <Targets zone={zone} />
      {!isSecondary && <SourceForm zone={zone} />}
      <Preview zone={zone.zone} />
    </Stack>
  );
}
