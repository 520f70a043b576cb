/** The settings of a zone, a form for each group. */
import { Alert, SimpleGrid, Stack } from "@mantine/core";
import type { Zone } from "../../../api/types.ts";
import { settingsTexts as texts } from "../../../text/zone-settings.ts";
import { DeleteZone } from "./delete-zone.tsx";
import { Servers } from "./servers.tsx";
import { StateSection } from "./state-section.tsx";
import { Tags } from "./tags.tsx";
import { Times } from "./times.tsx";

export function Settings({ zone }: { readonly zone: Zone }) {
  const isLinked = zone.link !== null;
  const isSecondary = zone.secondary?.["enabled"] === true;
  return (
    <Stack>
      {zone.link !== null && <Alert color="gray">{texts.linked(zone.link)}</Alert>}
      <SimpleGrid cols={{ base: 1, lg: 2 }} spacing="lg">
        <Stack gap="lg">
          {!isLinked && !isSecondary && <Times zone={zone} />}
          {!isLinked && <Tags zone={zone} />}
          {!isLinked && <StateSection zone={zone} />}
          <DeleteZone zone={zone.zone} />
        </Stack>
        <Stack gap="lg">
          <Servers zone={zone} />
        </Stack>
      </SimpleGrid>
    </Stack>
  );
}
