/** The page while the service does not answer. */
import { Button, Stack, Text } from "@mantine/core";
import { signinTexts as texts } from "../../text/signin.ts";

export const Unreachable = ({ onRetry }: { readonly onRetry: () => void }) => (
  <Stack>
    <Text role="alert">{texts.unreachable}</Text>
    <Button onClick={onRetry}>{texts.retry}</Button>
  </Stack>
);
