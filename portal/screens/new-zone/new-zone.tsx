/** A new zone: made here, from a file, copied or followed from another server, or like another zone. */
import { SegmentedControl, Stack, Text } from "@mantine/core";
import type { ReactNode } from "react";
import { useAddress } from "../../kit/address.ts";
import { Page } from "../../kit/page.tsx";
import { newZoneTexts as texts } from "../../text/new-zone.ts";
import { FromFile } from "./from-file.tsx";
import { FromTransfer } from "./from-transfer.tsx";
import { Linked } from "./linked.tsx";
import { Primary } from "./primary.tsx";
import { Secondary } from "./secondary.tsx";

type Kind = keyof typeof texts.kinds;

const forms: { readonly [K in Kind]: () => ReactNode } = {
  primary: () => <Primary />,
  file: () => <FromFile />,
  transfer: () => <FromTransfer />,
  secondary: () => <Secondary />,
  linked: () => <Linked />,
};

const isKind = (text: string): text is Kind => Object.hasOwn(forms, text);

export function Screen() {
  const [given, setKind] = useAddress("kind", "primary");
  const kind = isKind(given) ? given : "primary";
  const [, about] = texts.kinds[kind];
  return (
    <Page title={texts.title}>
      <Stack maw={720} gap="md">
        <SegmentedControl
          aria-label={texts.kindsLabel}
          value={kind}
          onChange={setKind}
          style={{ overflowX: "auto" }}
          data={Object.entries(texts.kinds).map(([value, [label]]) => ({ value, label }))}
        />
        <Text size="sm" c="dimmed">
          {about}
        </Text>
        {forms[kind]()}
      </Stack>
    </Page>
  );
}
