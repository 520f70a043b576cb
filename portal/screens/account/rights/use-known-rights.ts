/** The names of all rights that this service has; undefined while that is not known, or is not for the caller. */
import { useMemo } from "react";
import { useSession } from "../../../app/session.tsx";
import { useEffective } from "./use-effective.ts";

export function useKnownRights(): readonly string[] | undefined {
  const { user } = useSession();
  const { data } = useEffective({ kind: "users", id: user.username });
  return useMemo(() => data?.rights.map(({ right }) => right), [data]);
}
