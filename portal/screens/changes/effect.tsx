/** The effect of a draft: the warnings of lint, and the countries whose clients get another answer. */
import { Accordion, Alert, Stack, Table, Text, Title } from "@mantine/core";
import type { ChangeSetEffect } from "../../api/types.ts";
import { PageLink } from "../../app/link.tsx";
import { countryName } from "../../kit/countries.ts";
import { fieldInWords } from "../../kit/field-in-words.ts";
import { Name } from "../../kit/name.tsx";
import { shownOf, visibleOf } from "../../kit/plain.ts";
import { changesTexts as texts } from "../../text/changes.ts";

const percent = (share: number) => new Intl.NumberFormat(undefined, { style: "percent" }).format(share);
/** Rows of the table of countries. */
const most = 500;

export function Effect({ effect: { zones, warnings, cells } }: { readonly effect: ChangeSetEffect }) {
  const zoneOf = new Map(
    zones.flatMap(({ zone, records }) => records.map(({ domain, type }) => [`${domain} ${type}`, zone])),
  );
  const countries = new Set(cells.map(({ country }) => country));
  return (
    <Stack gap="xs">
      <Title order={2}>{texts.warnings}</Title>
      {warnings.length === 0 && (
        <Text size="sm" c="dimmed">
          {texts.noWarnings}
        </Text>
      )}
      {warnings.map(({ code, domain, type, field, message }) => {
        const zone = zoneOf.get(`${domain} ${type}`);
        const name = (
          <>
            <Name name={domain} /> {type}
          </>
        );
        return (
          <Alert key={`${code}${domain}${type}${field}`} color="yellow" py={6}>
            <Text size="sm">
              {zone === undefined ? (
                name
              ) : (
                <PageLink to="record" params={{ zone, name: domain, type }} underline="always" c="inherit">
                  {name}
                </PageLink>
              )}{" "}
              {visibleOf(`${fieldInWords(field)}: ${message}`)}
            </Text>
          </Alert>
        );
      })}
      <Title order={2}>{texts.steered}</Title>
      <Text size="sm">{countries.size === 0 ? texts.noEffect : texts.effect(countries.size)}</Text>
      {countries.size > 0 && (
        <Accordion variant="contained" keepMounted={false}>
          <Accordion.Item value="who">
            <Accordion.Control>{texts.who}</Accordion.Control>
            <Accordion.Panel>
              <Cells cells={cells} />
            </Accordion.Panel>
          </Accordion.Item>
        </Accordion>
      )}
    </Stack>
  );
}

const Cells = ({ cells }: Pick<ChangeSetEffect, "cells">) => (
  <Table.ScrollContainer minWidth={480}>
    <Table>
      <Table.Thead>
        <Table.Tr>
          {[texts.country, "", texts.answer, texts.before, texts.after].map((text) => (
            <Table.Th key={text}>{text}</Table.Th>
          ))}
        </Table.Tr>
      </Table.Thead>
      <Table.Tbody>
        {cells.slice(0, most).map(({ country, domain, type, answer, before, after }) => (
          <Table.Tr key={`${country}${domain}${type}${answer.join()}`}>
            <Table.Td>{countryName(country)}</Table.Td>
            <Table.Td className="name">
              {domain} {type}
            </Table.Td>
            <Table.Td className="name">{shownOf(answer.join(", "))}</Table.Td>
            <Table.Td>{percent(before)}</Table.Td>
            <Table.Td>{percent(after)}</Table.Td>
          </Table.Tr>
        ))}
      </Table.Tbody>
    </Table>
  </Table.ScrollContainer>
);
