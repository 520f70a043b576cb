/** The palette: finds zones, records, answers and what else has a name, opens pages, and takes commands. */
import { useMantineColorScheme } from "@mantine/core";
import { useDebouncedValue } from "@mantine/hooks";
import { Spotlight, type SpotlightActionData, type SpotlightActionGroupData, spotlight } from "@mantine/spotlight";
import { useState } from "react";
import { useRead } from "../kit/api.ts";
import { shownOf } from "../kit/plain.ts";
import { shellTexts as texts } from "../text/shell.ts";
import { useOpen } from "./link.tsx";
import { useThings } from "./palette-things.ts";
import { useSession } from "./session.tsx";

export const openPalette = () => spotlight.open();

type Open = ReturnType<typeof useOpen>;

/** The most hits of a search. */
const max = 20;

export function Palette() {
  const open = useOpen();
  const [query, setQuery] = useState("");
  const [asked] = useDebouncedValue(query.trim(), 150);
  const isAsked = asked.length >= 2;
  const names = useRead("GET /v1/search", { query: { q: asked, max }, enabled: isAsked });
  const answers = useRead("GET /v1/search", { query: { q: asked, max, type: "answers" }, enabled: isAsked });
  const searches = [names, answers];
  // the hits of an earlier search are none of this one
  const hits = searches.flatMap(({ data, isPlaceholderData }) =>
    isAsked && !isPlaceholderData ? (data?.data ?? []) : [],
  );
  const actions = hits.flatMap((hit) => actionOf(hit, open));
  // a record may be found by its name and by an answer
  const found = [...new Map(actions.map((action) => [action.id, action])).values()];
  const none = names.error?.message ?? answers.error?.message ?? texts.nothingFound;
  const things = useThings(isAsked ? asked : "", open);
  const groups: SpotlightActionGroupData[] = [
    { group: texts.records, actions: found },
    { group: texts.things, actions: things },
    { group: texts.commands, actions: useCommands(query, open) },
    { group: texts.pages, actions: pagesFor(query, open) },
  ];
  return (
    <Spotlight
      actions={groups}
      query={query}
      onQueryChange={setQuery}
      filter={(_, all) => all}
      shortcut={["mod + K", "/"]}
      nothingFound={searches.some(({ isFetching }) => isFetching) ? texts.searching : none}
      scrollable
      attributes={{ content: { "aria-label": texts.search } }}
      maxHeight={420}
      searchProps={{ placeholder: texts.searchHint, "aria-label": texts.search }}
    />
  );
}

/** A hit of the search is a zone or a record. */
function actionOf(hit: { readonly [key: string]: unknown }, open: Open): SpotlightActionData[] {
  const { zone, domain, type, answers } = hit;
  if (typeof domain === "string" && typeof type === "string") {
    const params = { zone: String(zone), name: domain, type };
    const description = Array.isArray(answers) ? shownOf(answers.map(answerText).join(", "), 120) : "";
    return [
      {
        id: `${domain}/${type}`,
        label: `${domain} ${type}`,
        description,
        onClick: () => open({ to: "record", params }),
      },
    ];
  }
  const name = String(zone ?? hit["name"] ?? "");
  return name === "" ? [] : [{ id: name, label: name, onClick: () => open({ to: "zone", params: { zone: name } }) }];
}

const answerText = (one: unknown): string => {
  const { answer } = (typeof one === "object" && one !== null ? one : {}) as { readonly answer?: unknown };
  return Array.isArray(answer) ? answer.join(" ") : String(one);
};

function pagesFor(query: string, open: Open): SpotlightActionData[] {
  const pages = [
    ["dashboard", texts.dashboard],
    ["zones", texts.zones],
    ["changes", texts.changes],
    ["feeds", texts.feeds],
    ["analytics", texts.analytics],
    ["activity", texts.activity],
    ["account", texts.account],
    ["system", texts.system],
  ] as const;
  return matching(
    pages.map(([to, label]) => ({ id: `page-${to}`, label, onClick: () => open({ to }) })),
    query,
  );
}

function useCommands(query: string, open: Open): SpotlightActionData[] {
  const { signOut } = useSession();
  const { setColorScheme } = useMantineColorScheme();
  const inAccount = (page: string) => () => open({ to: "accountPage", params: { page }, search: { new: "1" } });
  const commands: readonly (readonly [label: string, run: () => void])[] = [
    [texts.newZone, () => open({ to: "newZone" })],
    [texts.newFeed, () => open({ to: "feeds", search: { form: "source" } })],
    [texts.newKey, inAccount("keys")],
    [texts.invite, inAccount("people")],
    [texts.light, () => setColorScheme("light")],
    [texts.dark, () => setColorScheme("dark")],
    [texts.signOut, () => void signOut()],
  ];
  return matching(
    commands.map(([label, onClick]) => ({ id: `command-${label}`, label, onClick })),
    query,
  );
}

const matching = <Action extends { readonly label: string }>(actions: readonly Action[], query: string): Action[] =>
  actions.filter(({ label }) => label.toLowerCase().includes(query.trim().toLowerCase()));
