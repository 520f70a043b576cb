/** The account: people, teams, keys, allow lists, the user's own security, contact and TSIG keys, a page each. */
import { Text } from "@mantine/core";
import { useParams } from "@tanstack/react-router";
import type { ReactNode } from "react";
import { Page } from "../../kit/page.tsx";
import { Places } from "../../kit/places.tsx";
import { accountTexts as texts } from "../../text/account.ts";
import { AllowLists } from "./allow-lists/allow-lists.tsx";
import { Contact } from "./contact/contact.tsx";
import { Keys } from "./keys/keys.tsx";
import { People } from "./people/people.tsx";
import { Security } from "./security/security.tsx";
import { Teams } from "./teams/teams.tsx";
import { Tsig } from "./tsig/tsig.tsx";

const pages: { readonly [name: string]: () => ReactNode } = {
  people: People,
  teams: Teams,
  keys: Keys,
  "allow-lists": AllowLists,
  security: Security,
  contact: Contact,
  tsig: Tsig,
};

const titleOf = (name: string) => texts[name as "people"] ?? name;

export function Screen() {
  const { page = "people" } = useParams({ strict: false }) as { readonly page?: string };
  const Part = pages[page];
  return (
    <Page title={Part ? `${titleOf(page)} · ${texts.title}` : texts.title} heading={texts.title}>
      <Places label={texts.places} to="accountPage" names={Object.keys(pages)} here={page} textOf={titleOf} />
      {Part ? <Part key={page} /> : <Text>{texts.unknownPage}</Text>}
    </Page>
  );
}
