/** The state of a page in its address, so that a colleague who opens it sees the same. */
import { useNavigate, useSearch } from "@tanstack/react-router";
import { useCallback } from "react";

type Search = { readonly [name: string]: string | undefined };

/** The value of a parameter of the query, and a function that sets it; the default is not written. */
export function useAddress(name: string, otherwise = ""): readonly [string, (value: string) => void] {
  const search = useSearch({ strict: false }) as Search;
  const navigate = useNavigate();
  const set = useCallback(
    (value: string) => {
      const next = (before: Search) => ({ ...before, [name]: value === otherwise ? undefined : value });
      void navigate({ to: ".", search: next as never, replace: true });
    },
    [name, otherwise, navigate],
  );
  return [search[name] ?? otherwise, set];
}

/** Several parameters of the query, and a function that sets some of them at once; "" and undefined remove one. */
export function useAddresses<Name extends string>(names: readonly Name[]) {
  const search = useSearch({ strict: false }) as Search;
  const navigate = useNavigate();
  const values = Object.fromEntries(names.map((name) => [name, search[name]])) as { [N in Name]: string | undefined };
  const set = (changed: { readonly [N in Name]?: string | undefined }) => {
    const next = (before: Search) => ({ ...before, ...changed });
    void navigate({ to: ".", search: next as never, replace: true });
  };
  return [values, set] as const;
}
