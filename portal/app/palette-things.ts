/** Feeds, keys, users and teams whose names have what was typed. What the user may not see is not there. */
import type { SpotlightActionData } from "@mantine/spotlight";
import { useRead } from "../kit/api.ts";
import { shellTexts as texts } from "../text/shell.ts";
import type { useOpen } from "./link.tsx";

/** The most things of each kind. */
const shown = 5;

export function useThings(query: string, open: ReturnType<typeof useOpen>): SpotlightActionData[] {
  const options = { enabled: query !== "" };
  const sources = useRead("GET /v1/data/sources", options).data?.data ?? [];
  const keys = useRead("GET /v1/account/apikeys", options).data?.data ?? [];
  const users = useRead("GET /v1/account/users", options).data?.data ?? [];
  const teams = useRead("GET /v1/account/teams", options).data?.data ?? [];
  if (query === "") return [];
  const wanted = query.toLowerCase();
  const found = <T>(
    list: readonly T[],
    nameOf: (one: T) => string,
    actionOf: (one: T) => Omit<SpotlightActionData, "label">,
  ) =>
    list
      .filter((one) => nameOf(one).toLowerCase().includes(wanted))
      .slice(0, shown)
      .map((one) => ({ label: nameOf(one), ...actionOf(one) }));
  const inAccount = (page: string, search: { readonly [name: string]: string }) => () =>
    open({ to: "accountPage", params: { page }, search });
  const feeds = sources.flatMap((source) => source.feeds.map(({ id, name }) => ({ id, name, source })));
  return [
    ...found(
      sources,
      ({ name }) => name,
      ({ id }) => ({
        ...{ id: `source-${id}`, description: texts.source },
        onClick: () => open({ to: "source", params: { source: id } }),
      }),
    ),
    ...found(
      feeds,
      ({ name }) => name,
      ({ id, source }) => ({
        ...{ id: `feed-${id}`, description: texts.feedOf(source.name) },
        onClick: () => open({ to: "source", params: { source: source.id } }),
      }),
    ),
    ...found(
      keys,
      ({ name }) => name,
      ({ id }) => ({
        ...{ id: `key-${id}`, description: texts.key },
        onClick: inAccount("keys", { key: id }),
      }),
    ),
    ...found(
      users,
      ({ username, name }) => (name === "" ? username : `${username} (${name})`),
      ({ username }) => ({
        ...{ id: `user-${username}`, description: texts.person },
        onClick: inAccount("people", { user: username }),
      }),
    ),
    ...found(
      teams,
      ({ name }) => name,
      ({ id }) => ({
        ...{ id: `team-${id}`, description: texts.team },
        onClick: inAccount("teams", { team: id }),
      }),
    ),
  ];
}
