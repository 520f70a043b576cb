/** The time zone in which all pages show times. */
import { Select, Stack, Text, Title } from "@mantine/core";
import { useState } from "react";
import { absolute, browserZone, chooseTimeZone, timeZone } from "../../../kit/time.tsx";
import { securityTexts as texts } from "../../../text/security.ts";

/** The value that stands for the browser's own zone. */
const own = "browser";

export function TimeZone() {
  const [zone, setZone] = useState(() => (timeZone() === browserZone ? own : timeZone()));
  const data = [
    { value: own, label: texts.timeZoneOwn(browserZone) },
    ...["UTC", ...Intl.supportedValuesOf("timeZone").filter((name) => name !== "UTC")],
  ];
  const choose = (name: string) => {
    chooseTimeZone(name === own ? undefined : name);
    setZone(name);
  };
  return (
    <Stack gap="xs" maw={420}>
      <Title order={2}>{texts.timeZone}</Title>
      <Text size="sm" c="dimmed">
        {texts.timeZoneHint}
      </Text>
      <Select
        label={texts.timeZoneChoice}
        searchable
        allowDeselect={false}
        limit={100}
        data={data}
        value={zone}
        onChange={(name) => name !== null && choose(name)}
      />
      <Text size="sm">
        {texts.now}: {absolute(Date.now() / 1000)}
      </Text>
    </Stack>
  );
}
