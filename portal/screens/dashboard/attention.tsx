/** The list of what needs attention in the account: the worst first, each with a link to the thing. */
import { Group, Stack, Text } from "@mantine/core";
import type { AttentionItem } from "../../api/types.ts";
import { PageLink } from "../../app/link.tsx";
import { useRead } from "../../kit/api.ts";
import { ErrorNote } from "../../kit/error-note.tsx";
import { Loading } from "../../kit/loading.tsx";
import { visibleOf } from "../../kit/plain.ts";
import { State, type StateName } from "../../kit/state.tsx";
import { Time } from "../../kit/time.tsx";
import { attentionTexts as texts } from "../../text/attention.ts";
import { Part } from "./part.tsx";

const limit = 10;
/** Milliseconds; the list is kept about as often. */
const lookEvery = 30_000;

const looks: { readonly [S in AttentionItem["severity"]]: StateName } = {
  error: "down",
  warning: "stale",
  notice: "unknown",
};

export function Attention() {
  const { data, error, refetch } = useRead("GET /v1/attention", { query: { limit }, refetchInterval: lookEvery });
  const items = data?.data ?? [];
  return (
    <Part title={texts.title}>
      <ErrorNote error={error} onRetry={() => void refetch()} />
      {!data && !error && <Loading />}
      {data && items.length === 0 && (
        <Text size="sm" c="dimmed">
          {texts.none}
        </Text>
      )}
      <Stack gap="xs">
        {items.map((item) => (
          <Group key={`${item.kind} ${item.thing.id}`} gap="xs" wrap="nowrap" align="flex-start">
            <State is={looks[item.severity]} text={texts.severities[item.severity]} />
            <Text size="sm" style={{ overflowWrap: "anywhere" }}>
              {visibleOf(item.message)} <Thing item={item} />{" "}
              <Text component="span" inherit c="dimmed">
                <Time at={item.since} />
              </Text>
            </Text>
          </Group>
        ))}
      </Stack>
    </Part>
  );
}

/** The thing with a link to its page; limits have none. */
function Thing({ item: { kind, thing, detail } }: { readonly item: AttentionItem }) {
  const name = <bdi>{visibleOf(thing.name)}</bdi>;
  if (thing.type === "zone") {
    const search = { tab: kind === "lint" ? "lint" : "transfers" };
    return (
      <PageLink to="zone" params={{ zone: thing.name }} search={search} underline="always">
        {name}
      </PageLink>
    );
  }
  const { source } = detail;
  if (thing.type === "feed" && typeof source === "string")
    return (
      <PageLink to="source" params={{ source }} search={{ open: thing.id }} underline="always">
        {name}
      </PageLink>
    );
  if (thing.type === "key")
    return (
      <PageLink to="accountPage" params={{ page: "keys" }} search={{ key: thing.id }} underline="always">
        {name}
      </PageLink>
    );
  return null;
}
