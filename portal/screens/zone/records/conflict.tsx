/** Shows the record that somebody else saved while it was edited here. */
import { Alert, Button, Group } from "@mantine/core";
import { useQueryClient } from "@tanstack/react-query";
import { useEffect } from "react";
import { useRead } from "../../../kit/api.ts";
import { recordsTexts as texts } from "../../../text/records.ts";

interface Props {
  readonly path: { readonly zone: string; readonly domain: string; readonly type: string };
  readonly print: (answer: readonly (string | number)[]) => string;
  /** Saves over the state with this ETag. */
  readonly onOverwrite: (etag: string | undefined) => void;
  readonly onTheirs: () => void;
}

export function Conflict({ path, print, onOverwrite, onTheirs }: Props) {
  const client = useQueryClient();
  const { data, refetch } = useRead("GET /v1/zones/{zone}/{domain}/{type}", { path, refetchInterval: 5000 });
  // what was read before the edit is not what is stored now
  useEffect(() => void refetch(), [refetch]);
  const { answers = [], ttl } = data?.data ?? {};
  const takeTheirs = () => {
    void client.invalidateQueries({ predicate: ({ queryKey: [known] }) => String(known).startsWith("GET /v1/zones") });
    onTheirs();
  };
  return (
    <Alert color="yellow" role="alert">
      {texts.changed}{" "}
      <span className="name">
        {answers.map(({ answer }) => print(answer)).join(", ")} ({texts.ttl} {ttl})
      </span>
      <Group gap="xs" mt="xs">
        <Button size="compact-sm" variant="default" onClick={() => onOverwrite(data?.etag)}>
          {texts.overwrite}
        </Button>
        <Button size="compact-sm" variant="default" onClick={takeTheirs}>
          {texts.takeTheirs}
        </Button>
      </Group>
    </Alert>
  );
}
