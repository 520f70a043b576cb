/** A new key, shown once: it is in this page's memory only, until the page is left. */
import { Alert, Button, Code, Group, Stack, Text } from "@mantine/core";
import { Copy, curlOf } from "../../../kit/copy-as.tsx";
import { keysTexts as texts } from "../../../text/keys.ts";

interface Props {
  readonly secret: string;
  readonly onDone: () => void;
}

export const SecretOnce = ({ secret, onDone }: Props) => (
  <Alert title={texts.onceTitle} color="yellow" role="alert">
    <Stack gap="sm" align="flex-start">
      <Text size="sm">{texts.onceHint}</Text>
      <Group gap="xs">
        <Code fz="md" aria-label={texts.onceLabel}>
          {secret}
        </Code>
        <Copy text={secret} />
      </Group>
      <Text size="sm">{texts.onceUse}</Text>
      <Code block>{curlOf("GET", "/v1/zones")}</Code>
      <Button onClick={onDone}>{texts.onceDone}</Button>
    </Stack>
  </Alert>
);
