/** The teams of the account: the list, one team, or the form for a new one. */
import { useAddress } from "../../../kit/address.ts";
import { NewTeam } from "./new-team.tsx";
import { TeamPage } from "./team.tsx";
import { TeamList } from "./team-list.tsx";

export function Teams() {
  const [id] = useAddress("team");
  const [isNew] = useAddress("new");
  if (isNew !== "") return <NewTeam />;
  return id === "" ? <TeamList /> : <TeamPage key={id} id={id} />;
}
