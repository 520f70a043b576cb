/** The portal as a user finds it: which pages open, and which acts are there. The API's description names the right of each. */
import { Group, Loader, Stack, Text } from "@mantine/core";
import type { Operation } from "../../../api/client.ts";
import { rightsFor } from "../../../api/description.ts";
import { useDescription } from "../../../kit/body-schema.ts";
import { ErrorNote } from "../../../kit/error-note.tsx";
import { ScrollTable } from "../../../kit/scroll-table.tsx";
import { State } from "../../../kit/state.tsx";
import { accountTexts } from "../../../text/account.ts";
import { rightsTexts as texts } from "../../../text/rights.ts";
import { shellTexts } from "../../../text/shell.ts";
import { Scopes } from "./scopes.tsx";
import { useEffective } from "./use-effective.ts";

/** Each page with the call that it shows, and the calls of its acts. */
const pages: readonly (readonly [page: string, shows: Operation, ...acts: (readonly [act: string, Operation])[]])[] = [
  [
    shellTexts.zones,
    "GET /v1/zones",
    [texts.acts.records, "PUT /v1/zones/{zone}/{domain}/{type}"],
    [texts.acts.zones, "PUT /v1/zones/{zone}"],
  ],
  [
    shellTexts.feeds,
    "GET /v1/data/sources",
    [texts.acts.sources, "PUT /v1/data/sources"],
    [texts.acts.feeds, "PUT /v1/data/feeds/{sourceid}"],
    [texts.acts.push, "POST /v1/feed/{id}"],
  ],
  [shellTexts.analytics, "GET /v1/stats/usage"],
  [shellTexts.activity, "GET /v1/account/activity"],
  [accountTexts.people, "GET /v1/account/users"],
  [accountTexts.teams, "GET /v1/account/teams"],
  [accountTexts.keys, "GET /v1/account/apikeys"],
  [accountTexts["allow-lists"], "GET /v1/account/whitelist"],
  [accountTexts.security, "GET /v1/auth/sessions", [texts.acts.factor, "POST /v1/account/twofactor"]],
  [accountTexts.contact, "GET /v1/account/settings"],
  [accountTexts.tsig, "GET /v1/tsig", [texts.acts.tsig, "PUT /v1/tsig/{name}"]],
  [shellTexts.system, "GET /v1/operator/edges"],
];

export function OpenPages({ username }: { readonly username: string }) {
  const effective = useEffective({ kind: "users", id: username });
  const description = useDescription();
  const error = effective.error ?? description.error;
  if (error)
    return (
      <ErrorNote error={error} onRetry={() => void (effective.error ? effective.retry() : description.refetch())} />
    );
  const [rights, described] = [effective.data, description.data];
  if (!rights || !described) return <Loader size="sm" />;
  const held = new Set(rights.rights.filter(({ allowed }) => allowed).map(({ right }) => right));
  const callOf = (operation: Operation) => {
    const needed = rightsFor(described, operation);
    return { needed, isOpen: needed.length === 0 || needed.some((right) => held.has(right)) };
  };
  return (
    <Stack>
      <Text size="sm">{texts.asUserHint(username)}</Text>
      <ScrollTable
        label={texts.asUser}
        heads={[texts.page, texts.pageOpens, texts.pageActs]}
        rows={pages.map(([page, shows, ...acts]) => ({
          id: page,
          cells: [
            <b key="page">{page}</b>,
            <Answer key="shows" {...callOf(shows)} yes={texts.opens} no={texts.isClosed} />,
            acts.map(([act, operation]) => (
              <Group key={act} gap="xs" wrap="nowrap">
                <Answer {...callOf(operation)} yes={texts.may} no={texts.mayNot} /> {act}
              </Group>
            )),
          ],
        }))}
      />
      <Scopes rights={rights} isAsked={false} />
    </Stack>
  );
}

interface AnswerProps {
  readonly needed: readonly string[];
  readonly isOpen: boolean;
  readonly yes: string;
  readonly no: string;
}

/** With the right that is lacking behind a refusal. */
const Answer = ({ needed, isOpen, yes, no }: AnswerProps) => (
  <Group gap="xs" wrap="nowrap">
    <State is={isOpen ? "ok" : "refused"} text={isOpen ? yes : no} />
    {!isOpen && (
      <Text span size="xs" c="dimmed" className="name">
        {needed.join(", ")}
      </Text>
    )}
  </Group>
);
