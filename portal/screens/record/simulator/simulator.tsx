/** The simulator beside the chain: a client, what is assumed, the steps of the chain, and what the client gets. */
import {
  Accordion,
  Alert,
  Box,
  Loader,
  NumberInput,
  Select,
  SimpleGrid,
  Stack,
  Text,
  TextInput,
  Title,
} from "@mantine/core";
import { lazy, Suspense, useMemo } from "react";
import type { RecordBody } from "../../../api/types.ts";
import { useRead } from "../../../kit/api.ts";
import { countryName, useCountries, useSubdivisions } from "../../../kit/countries.ts";
import { ErrorNote } from "../../../kit/error-note.tsx";
import { fieldInWords } from "../../../kit/field-in-words.ts";
import { visibleOf } from "../../../kit/plain.ts";
import { recordTexts as texts } from "../../../text/record.ts";
import { Assumptions } from "./assumptions.tsx";
import { Result } from "./result.tsx";
import { Steps } from "./steps.tsx";
import { useClient } from "./use-client.ts";
import type { useSimulation } from "./use-simulation.ts";

const CountryMap = lazy(async () => ({ default: (await import("./country-map.tsx")).CountryMap }));

interface Props {
  readonly zone: string;
  readonly domain: string;
  readonly type: string;
  readonly body: RecordBody | undefined;
  /** Whether the service has the record already, with its queries. */
  readonly isStored: boolean;
  /** The answer for the chosen client. */
  readonly simulation: ReturnType<typeof useSimulation>;
  /** The feeds that the record's metadata name. */
  readonly feeds: readonly string[];
  readonly lit: number | undefined;
  readonly onLit: (at: number | undefined) => void;
}

/** Questions with the same client, of which answers are counted. */
export const drawn = 1000;
const lastDay = { period: "24h" } as const;

export function Simulator({ zone, domain, type, body, isStored, simulation, feeds, lit, onLit }: Props) {
  const { client, setAddress, setCountry, setSubdivision, setAsn, setFeeds, setLater } = useClient();
  const { address, country, subdivision, asn } = client;
  const countries = useCountries();
  const choices = useMemo(
    () => countries.map((code) => ({ value: code, label: `${countryName(code)} (${code})` })),
    [countries],
  );
  const parts = useSubdivisions(country);
  const question = { zone, domain, type, body, client };
  const { data, error, isFetching } = simulation;
  const usage = useRead("GET /v1/stats/usage/{zone}/{domain}/{type}", {
    path: { zone, domain, type },
    query: lastDay,
    enabled: isStored,
  });
  const steps = data?.steps ?? [];
  const isSteered = steps.some(({ filters }) => filters.length > 0);
  return (
    <Stack gap="sm" component="section" aria-label={texts.simulator}>
      <Title order={2}>
        {texts.simulator} {isFetching && <Loader size={12} aria-hidden />}
      </Title>
      <SimpleGrid cols={{ base: 1, xs: 3 }} spacing="xs">
        <TextInput
          size="xs"
          label={texts.client}
          placeholder="203.0.113.7"
          value={address}
          error={error?.field === "client" || error?.field === "subnet" ? error.message : undefined}
          onChange={(event) => setAddress(event.currentTarget.value.trim())}
        />
        <Select
          size="xs"
          label={texts.country}
          searchable
          clearable
          data={choices}
          value={country === "" ? null : country}
          onChange={(next) => setCountry(next ?? "")}
        />
        {parts.length > 0 && (
          <Select
            size="xs"
            label={texts.subdivision}
            searchable
            clearable
            data={parts}
            value={subdivision === "" ? null : subdivision}
            onChange={(next) => setSubdivision(next ?? "")}
          />
        )}
        <NumberInput
          size="xs"
          label={texts.asn}
          hideControls
          allowDecimal={false}
          value={asn}
          onChange={(next) => setAsn(String(next))}
        />
      </SimpleGrid>
      <Assumptions feeds={feeds} client={client} onChange={setFeeds} onLater={setLater} />
      {error && <ErrorNote error={error} />}
      <Box style={{ filter: error ? "grayscale(1)" : "none" }} aria-live="polite">
        {data && <Result explanation={data} draws={drawn} queries={usage.data?.data[0]?.queries || undefined} />}
        {steps.map((step) => (
          <Steps key={step.name} step={step} lit={lit} onLit={onLit} />
        ))}
      </Box>
      {country === "" && isSteered && (
        <Text size="xs" c="dimmed">
          {texts.locationUnknown}
        </Text>
      )}
      {(data?.warnings ?? [])
        .filter(({ field }) => !field.startsWith("filters"))
        .map(({ code, message, field }) => (
          <Alert key={`${code}${field}`} color="yellow" py={6}>
            <Text size="xs">{visibleOf(`${fieldInWords(field)}: ${message}`)}</Text>
          </Alert>
        ))}
      {isSteered && (
        <Accordion variant="contained" keepMounted={false}>
          <Accordion.Item value="map">
            <Accordion.Control>{texts.map}</Accordion.Control>
            <Accordion.Panel>
              <Suspense fallback={<Loader size="sm" />}>
                <CountryMap {...question} chosen={country} onChoose={setCountry} />
              </Suspense>
            </Accordion.Panel>
          </Accordion.Item>
        </Accordion>
      )}
    </Stack>
  );
}
