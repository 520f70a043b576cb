/** The configuration of the control process that answers; secrets are only set or not. */
import { Switch, Text, Tooltip } from "@mantine/core";
import type { Reply } from "../../api/client.ts";
import { useAddress } from "../../kit/address.ts";
import { useRead } from "../../kit/api.ts";
import { type Column, Table } from "../../kit/table.tsx";
import { systemTexts as texts } from "../../text/system.ts";
import { Refused } from "./refused.tsx";

type Setting = Reply<"GET /v1/operator/configuration">["data"][number];

function shownValue({ secret, source, values, default: otherwise }: Setting) {
  if (secret) return source === "default" ? texts.isUnset : texts.isSet;
  return source === "default" ? (
    <Text span inherit c="dimmed">
      {otherwise}
    </Text>
  ) : (
    <span className="name">{values.join(", ")}</span>
  );
}

const columns: readonly Column<Setting>[] = [
  {
    accessor: "key",
    title: texts.key,
    render: ({ key, desc, flag, variable, reloads }) => (
      <Tooltip multiline maw={420} label={`${desc} [${flag}, ${variable}]${reloads ? `; ${texts.reloads}` : ""}`}>
        <span className="name">{key}</span>
      </Tooltip>
    ),
  },
  { accessor: "value", title: texts.value, render: shownValue },
  { accessor: "source", title: texts.source },
];

export function Configuration() {
  const { data, error, isFetching, refetch } = useRead("GET /v1/operator/configuration");
  const [only, setOnly] = useAddress("set");
  if (error) return <Refused error={error} onRetry={() => void refetch()} />;
  const rows = (data?.data ?? []).filter(({ source }) => only === "" || source !== "default");
  return (
    <>
      <Switch
        mb="sm"
        label={texts.onlySet}
        checked={only !== ""}
        onChange={(event) => setOnly(event.currentTarget.checked ? "1" : "")}
      />
      <Table
        label={texts.pages.configuration}
        rows={rows}
        columns={columns}
        idOf={({ key }) => key}
        isLoading={isFetching}
      />
    </>
  );
}
