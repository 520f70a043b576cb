/** The palette: finds zones, records and answers, and opens pages. */

import { useDebouncedValue } from "@mantine/hooks";
import { Spotlight, type SpotlightActionData, type SpotlightActionGroupData, spotlight } from "@mantine/spotlight";
import { useState } from "react";
import { useRead } from "../kit/api.ts";
import { shownOf } from "../kit/plain.ts";
import { shellTexts as texts } from "../text/shell.ts";
import { useOpen } from "./link.tsx";

export const openPalette = () => spotlight.open();

type Open = ReturnType<typeof useOpen>;

export function Palette() {
  const open = useOpen();
  const [query, setQuery] = useState("");
  const [asked] = useDebouncedValue(query.trim(), 150);
  const isAsked = asked.length >= 2;
  const { data, isFetching } = useRead("GET /v1/search", { query: { q: asked, max: 20 }, enabled: isAsked });
  const found = isAsked ? (data?.data ?? []).flatMap((hit) => actionOf(hit, open)) : [];
  const groups: SpotlightActionGroupData[] = [
    { group: texts.records, actions: found },
    { group: texts.pages, actions: pagesFor(query, open) },
  ];
  return (
    <Spotlight
      actions={groups}
      query={query}
      onQueryChange={setQuery}
      filter={(_, all) => all}
      shortcut={["mod + K", "/"]}
      nothingFound={isFetching ? texts.searching : texts.nothingFound}
      scrollable
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
    ["newZone", texts.newZone],
    ["changes", texts.changes],
    ["feeds", texts.feeds],
    ["analytics", texts.analytics],
    ["activity", texts.activity],
    ["account", texts.account],
    ["system", texts.system],
  ] as const;
  const wanted = query.trim().toLowerCase();
  return pages
    .filter(([, text]) => text.toLowerCase().includes(wanted))
    .map(([to, label]) => ({ id: `page-${to}`, label, onClick: () => open({ to }) }));
}
