/** The operator's pages: edges, control processes, store, configuration and accounts. */
import { useParams } from "@tanstack/react-router";
import type { ReactNode } from "react";
import { Page } from "../../kit/page.tsx";
import { Places } from "../../kit/places.tsx";
import { systemTexts as texts } from "../../text/system.ts";
import { Accounts } from "./accounts.tsx";
import { Configuration } from "./configuration.tsx";
import { Controls } from "./controls.tsx";
import { Edges } from "./edges.tsx";
import { Store } from "./store.tsx";

const pages: { readonly [name in keyof typeof texts.pages]: () => ReactNode } = {
  edges: () => <Edges />,
  controls: () => <Controls />,
  store: () => <Store />,
  configuration: () => <Configuration />,
  accounts: () => <Accounts />,
};

const isPage = (name: string | undefined): name is keyof typeof pages =>
  name !== undefined && Object.hasOwn(pages, name);

export function Screen() {
  const { page } = useParams({ strict: false }) as { readonly page?: string };
  const here = isPage(page) ? page : "edges";
  return (
    <Page title={texts.title}>
      <Places
        label={texts.title}
        to="systemPage"
        names={Object.keys(pages)}
        here={here}
        textOf={(name) => (isPage(name) ? texts.pages[name] : name)}
      />
      {pages[here]()}
    </Page>
  );
}
