/** The record that proves who owns a domain, and the claim of its name. */
import { Alert, Button, Code, Group, Stack, Text } from "@mantine/core";
import { useRead, useWrite } from "../../kit/api.ts";
import { Copy } from "../../kit/copy-as.tsx";
import { ErrorNote } from "../../kit/error-note.tsx";
import { newZoneTexts as texts } from "../../text/new-zone.ts";

export function Claim({ zone }: { readonly zone: string }) {
  const { data, error } = useRead("GET /v1/zones/{zone}/claim", { path: { zone } });
  const write = useWrite("POST /v1/zones/{zone}/claim", ["GET /v1/zones"]);
  const { domain, type, value } = data?.data.record ?? { domain: "", type: "", value: "" };
  const line = `${domain}. ${type} "${value}"`;
  return (
    <Alert color="gray">
      <Stack gap="xs">
        <ErrorNote error={error} />
        {data && (
          <>
            <Text size="sm">{texts.claimHint}</Text>
            <Code block className="name">
              {line}
            </Code>
            <Group gap="xs">
              <Copy text={line} />
              <Button
                variant="default"
                size="compact-sm"
                loading={write.isPending}
                onClick={() => write.mutate({ path: { zone } })}
              >
                {texts.claimAct}
              </Button>
            </Group>
          </>
        )}
        <ErrorNote error={write.error} />
        {write.isSuccess && <Text size="sm">{texts.claimed}</Text>}
      </Stack>
    </Alert>
  );
}
