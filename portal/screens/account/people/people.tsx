/** The users of the account: the list, one user, or the form that invites one. */
import { useAddress } from "../../../kit/address.ts";
import { Invite } from "./invite.tsx";
import { UserPage } from "./user.tsx";
import { UserList } from "./user-list.tsx";

export function People() {
  const [username] = useAddress("user");
  const [isNew] = useAddress("new");
  if (isNew !== "") return <Invite />;
  return username === "" ? <UserList /> : <UserPage key={username} username={username} />;
}
