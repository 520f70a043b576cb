/** The filters and the order of the list of zones, kept in the address. */
import { useDebouncedValue } from "@mantine/hooks";
import type { Operations } from "../../api/types.ts";
import { useAddress } from "../../kit/address.ts";

type Query = Operations["GET /v1/zones"]["query"];

export const filterNames = ["q", "kind", "status", "tag", "delegation"] as const;

export function useFilters(): { readonly query: Query; readonly isFiltered: boolean } {
  const given = Object.fromEntries(
    filterNames.map((name) => {
      // biome-ignore lint/correctness/useHookAtTopLevel: the list of names never changes
      const [value] = useAddress(name);
      return [name, value.trim()];
    }),
  );
  const [sort] = useAddress("sort", "name");
  const [filters] = useDebouncedValue(JSON.stringify(given), 200);
  const wanted = Object.entries(JSON.parse(filters) as { [name: string]: string }).filter(([, value]) => value !== "");
  const isDescending = sort.startsWith("-");
  const query = {
    ...Object.fromEntries(wanted),
    ...(sort === "name" ? {} : { sort: sort.replace(/^-/, ""), order: isDescending ? "desc" : "asc" }),
  };
  return { query: query as Query, isFiltered: wanted.length > 0 };
}
