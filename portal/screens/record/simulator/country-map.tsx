/** The map of the simulator: the answer that the clients of each country get most. */
import { Text } from "@mantine/core";
import { ErrorNote } from "../../../kit/error-note.tsx";
import { WorldMap } from "../../../kit/world-map.tsx";
import { kitTexts } from "../../../text/kit.ts";
import { recordTexts as texts } from "../../../text/record.ts";
import { mostFrequent } from "./most-frequent.ts";
import { useSimulation } from "./use-simulation.ts";

interface Props extends Omit<Parameters<typeof useSimulation>[0], "matrix" | "draws" | "part"> {
  readonly chosen: string;
  readonly onChoose: (code: string) => void;
}

/** Draws for each country. */
const drawn = 20;

export function CountryMap({ chosen, onChoose, client, ...question }: Props) {
  // the map asks from every country, so the client's own is left out
  const { data, error } = useSimulation({
    ...question,
    client: { ...client, country: "", subdivision: "" },
    part: "map",
    matrix: true,
    draws: drawn,
  });
  return (
    <>
      <ErrorNote error={error} />
      <WorldMap label={kitTexts.map} groups={mostFrequent(data?.matrix)} chosen={chosen} onChoose={onChoose} />
      <Text size="xs" c="dimmed">
        {texts.mapHint}
      </Text>
    </>
  );
}
