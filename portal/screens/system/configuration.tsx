/** The configuration of the control process that answers; secrets are only set or not. */
import { Switch, Text, Tooltip } from "@mantine/core";
import type { Reply } from "../../api/client.ts";
import { useAddress } from "../../kit/address.ts";
import { useReadAll } from "../../kit/api.ts";
import { Listing } from "../../kit/listing.tsx";
import type { Column } from "../../kit/table.tsx";
import { systemTexts as texts } from "../../text/system.ts";

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
  const settings = useReadAll("GET /v1/operator/configuration");
  const [only, setOnly] = useAddress("set");
  const rows = settings.rows.filter(({ source }) => only === "" || source !== "default");
  return (
    <Listing
      read={{ ...settings, rows }}
      head={
        <Switch
          label={texts.onlySet}
          checked={only !== ""}
          onChange={(event) => setOnly(event.currentTarget.checked ? "1" : "")}
        />
      }
      label={texts.pages.configuration}
      columns={columns}
      idOf={({ key }) => key}
    />
  );
}
