/** Reads the effective rights of a user, a key or a team. */
import type { EffectiveRights } from "../../../api/types.ts";
import { useRead } from "../../../kit/api.ts";

export interface Holder {
  readonly kind: "users" | "apikeys" | "teams";
  /** The name of the user, or the id of the key or team. */
  readonly id: string;
}

export interface Question {
  readonly zone?: string;
  readonly domain?: string;
  readonly type?: string;
  readonly address?: string;
}

export function useEffective({ kind, id }: Holder, query: Question = {}, enabled = true) {
  const users = useRead("GET /v1/account/users/{username}/effective", {
    path: { username: id },
    query,
    enabled: enabled && kind === "users",
  });
  const keys = useRead("GET /v1/account/apikeys/{keyid}/effective", {
    path: { keyid: id },
    query,
    enabled: enabled && kind === "apikeys",
  });
  const teams = useRead("GET /v1/account/teams/{teamid}/effective", {
    path: { teamid: id },
    query,
    enabled: enabled && kind === "teams",
  });
  const read = { users, apikeys: keys, teams }[kind];
  // while another holder is read, the rights of the one before are not theirs
  const data: EffectiveRights | undefined = read.isPlaceholderData ? undefined : read.data?.data;
  return { data, error: read.error, retry: () => void read.refetch() };
}
