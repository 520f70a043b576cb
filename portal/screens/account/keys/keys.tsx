/** The API keys of the account: the list, one key, or the form for a new one. */
import { useAddress } from "../../../kit/address.ts";
import { KeyPage } from "./key.tsx";
import { KeyList } from "./key-list.tsx";
import { NewKey } from "./new-key.tsx";

export function Keys() {
  const [id] = useAddress("key");
  const [isNew] = useAddress("new");
  if (isNew !== "") return <NewKey />;
  return id === "" ? <KeyList /> : <KeyPage key={id} id={id} />;
}
