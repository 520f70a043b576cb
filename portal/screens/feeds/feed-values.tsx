/** The values of a feed: what was pushed, and what answers use now. */
import { Table, Text, Title } from "@mantine/core";
import type { Feed } from "../../api/types.ts";
import { useRead } from "../../kit/api.ts";
import { plainOf, visibleOf } from "../../kit/plain.ts";
import { feedsTexts as texts } from "../../text/feeds.ts";
import { appliedOf } from "./freshness.ts";
import { Value } from "./value.tsx";

export function FeedValues({ feed }: { readonly feed: Feed }) {
  const types = useRead("GET /v1/metatypes").data?.data ?? {};
  const keys = [...new Set([...Object.keys(feed.data), ...Object.keys(feed.fallback ?? {})])];
  return (
    <div>
      <Title order={3}>{texts.values}</Title>
      {keys.length === 0 ? (
        <Text size="sm" c="dimmed">
          {texts.noValues}
        </Text>
      ) : (
        <Table fz="sm" verticalSpacing={4}>
          <Table.Thead>
            <Table.Tr>
              <Table.Th>{texts.key}</Table.Th>
              <Table.Th>{texts.pushed}</Table.Th>
              <Table.Th>{texts.now}</Table.Th>
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody>
            {keys.map((key) => (
              <Table.Tr key={key}>
                <Table.Td>
                  {plainOf(types[key]?.shortdesc ?? "")} <span className="name">{visibleOf(key)}</span>
                </Table.Td>
                <Table.Td>{Object.hasOwn(feed.data, key) && <Value name={key} value={feed.data[key]} />}</Table.Td>
                <Table.Td>
                  <Applied feed={feed} name={key} />
                </Table.Td>
              </Table.Tr>
            ))}
          </Table.Tbody>
        </Table>
      )}
    </div>
  );
}

function Applied({ feed, name }: { readonly feed: Feed; readonly name: string }) {
  const { value, isFallback } = appliedOf(feed, name);
  if (value === undefined)
    return (
      <Text component="span" inherit c="dimmed">
        {texts.unset}
      </Text>
    );
  return (
    <>
      <Value name={name} value={value} />
      {isFallback && (
        <Text component="span" inherit c="dimmed">
          {" "}
          {texts.fromFallback}
        </Text>
      )}
    </>
  );
}
