/** A new zone: made here, from a file, copied or followed from another server, or like another zone. */
import { SegmentedControl, Stack, Text } from "@mantine/core";
import { useMediaQuery } from "@mantine/hooks";
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
  const isWide = useMediaQuery("(min-width: 48em)", true);
  return (
    <Page title={texts.title}>
      <SegmentedControl
        aria-label={texts.kindsLabel}
        value={kind}
        onChange={setKind}
        mb="md"
        orientation={isWide ? "horizontal" : "vertical"}
        fullWidth={!isWide}
        data={Object.entries(texts.kinds).map(([value, [label]]) => ({ value, label }))}
      />
      <Stack maw={640} gap="md">
        <Text size="sm" c="dimmed">
          {about}
        </Text>
        {forms[kind]()}
      </Stack>
    </Page>
  );
}
