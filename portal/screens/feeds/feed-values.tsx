/** The values of a feed: what was pushed and when, and what answers use now. */
import { Text, Title } from "@mantine/core";
import type { FeedStatus } from "../../api/types.ts";
import { useRead } from "../../kit/api.ts";
import { plainOf, visibleOf } from "../../kit/plain.ts";
import { ScrollTable } from "../../kit/scroll-table.tsx";
import { Time } from "../../kit/time.tsx";
import { feedsTexts as texts } from "../../text/feeds.ts";
import { Value } from "./value.tsx";

type FeedValue = FeedStatus["values"][number];

export function FeedValues({ values }: { readonly values: readonly FeedValue[] }) {
  const types = useRead("GET /v1/metatypes").data?.data ?? {};
  return (
    <div>
      <Title order={3}>{texts.values}</Title>
      {values.length === 0 ? (
        <Text size="sm" c="dimmed">
          {texts.noValues}
        </Text>
      ) : (
        <ScrollTable
          label={texts.values}
          heads={[texts.key, texts.pushed, texts.now]}
          rows={values.map((value) => ({
            id: value.key,
            cells: [
              <span key="key">
                {plainOf(types[value.key]?.shortdesc ?? "")} <span className="name">{visibleOf(value.key)}</span>
              </span>,
              <span key="pushed">
                {value.pushed !== null && <Value name={value.key} value={value.pushed} />}{" "}
                {value.at !== null && <Time at={value.at} size="xs" c="dimmed" />}
              </span>,
              <Applied key="now" of={value} />,
            ],
          }))}
        />
      )}
    </div>
  );
}

function Applied({ of: { key, value, from } }: { readonly of: FeedValue }) {
  if (from === null)
    return (
      <Text component="span" inherit c="dimmed">
        {texts.unset}
      </Text>
    );
  return (
    <>
      <Value name={key} value={value} />
      {from === "fallback" && (
        <Text component="span" inherit c="dimmed">
          {" "}
          {texts.fromFallback}
        </Text>
      )}
    </>
  );
}
