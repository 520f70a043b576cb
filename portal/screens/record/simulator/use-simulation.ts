/** Asks what DNS would answer with the record as it is edited, for one client, while the user edits. */
import { useDebouncedValue } from "@mantine/hooks";
import { useQuery } from "@tanstack/react-query";
import { useMemo } from "react";
import { ApiError, call, type Reply } from "../../../api/client.ts";
import type { RecordBody } from "../../../api/types.ts";

export type Explanation = Reply<"POST /v1/explain">["data"];
export type Step = Explanation["steps"][number];

/** The client that is asked for, and what is assumed. */
export interface Client {
  readonly address: string;
  readonly country: string;
  /** The part of the country (ISO 3166-2), without the country. */
  readonly subdivision: string;
  readonly asn: string;
  /** Assumed values of feeds, by id. */
  readonly feeds: { readonly [id: string]: { readonly [key: string]: unknown } };
  /** Seconds from now, as text, during which no feed is pushed; "" for now. */
  readonly later: string;
}

interface Options {
  readonly zone: string;
  readonly domain: string;
  readonly type: string;
  /** The record as it is edited; undefined for the one that is stored. */
  readonly body: RecordBody | undefined;
  readonly client: Client;
  /** The part of the page that asks: its newer question takes the place of an older one. */
  readonly part: "now" | "client" | "map";
  /** Also asks from every country. */
  readonly matrix?: boolean;
  readonly draws?: number;
}

/** Names this page among the pages that ask. */
const editor = crypto.randomUUID();
/** Milliseconds without an edit before the question is asked. */
const pause = 200;

export function useSimulation(options: Options) {
  // as text: an object is another one at each rendering, and would never come to rest
  const [text] = useDebouncedValue(JSON.stringify(options), pause);
  const asked = useMemo((): Options => JSON.parse(text), [text]);
  return useQuery<Explanation, ApiError>({
    queryKey: ["simulation", asked],
    queryFn: async ({ signal }) => (await call("POST /v1/explain", { body: questionOf(asked), signal })).data,
    placeholderData: (before) => before,
    staleTime: 5000,
    retry: (count, error) => error instanceof ApiError && error.status === 409 && count < 2,
    refetchInterval: 10_000,
  });
}

function questionOf({ zone, domain, type, body, client, part, matrix = false, draws = 1 }: Options) {
  const { address, country, subdivision, asn, feeds, later } = client;
  const location = {
    ...(country !== "" && { country }),
    ...(subdivision !== "" && { subdivision }),
    ...(asn !== "" && { asn: Number(asn) }),
  };
  return {
    name: domain,
    type,
    editor: `${editor}-${part}`,
    ...(address !== "" && (address.includes("/") ? { subnet: address } : { client: address })),
    ...(Object.keys(location).length > 0 && { location }),
    ...(body && { records: [{ ...body, action: "put" as const, zone, domain, type }] }),
    ...(Object.keys(feeds).length > 0 && { feeds }),
    ...(later !== "" && { time: Math.floor(Date.now() / 1000) + Number(later) }),
    ...(matrix && { matrix }),
    draws,
  };
}
