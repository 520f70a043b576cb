/** The teams of a user or key. */
import { MultiSelect } from "@mantine/core";
import { useReadAll } from "../../../kit/api.ts";
import { accountTexts as texts } from "../../../text/account.ts";

/** A list of teams is short enough to be read at once. */
export const useTeams = () => useReadAll("GET /v1/account/teams", { query: { limit: 1000 } });

interface Props {
  readonly value: readonly string[];
  readonly error?: string | undefined;
  readonly onChange: (value: string[]) => void;
}

export function TeamsField({ value, error, onChange }: Props) {
  const { rows, error: refusal } = useTeams();
  const known = rows.map(({ id, name }) => ({ value: id, label: name }));
  // a team that the caller cannot see stays in the list
  const others = value.filter((id) => !rows.some((team) => team.id === id)).map((id) => ({ value: id, label: id }));
  return (
    <MultiSelect
      label={texts.teams}
      description={refusal?.message ?? texts.teamsHint}
      nothingFoundMessage={texts.noSuchTeams}
      searchable
      data={[...known, ...others]}
      value={[...value]}
      error={error}
      onChange={onChange}
    />
  );
}

/** The names of teams, by id. */
export function useTeamNames(): (ids: readonly string[]) => string {
  const { rows } = useTeams();
  const names = new Map(rows.map(({ id, name }) => [id, name]));
  return (ids) => ids.map((id) => names.get(id) ?? texts.unknownTeam).join(", ");
}
