/** The cache of what was read. Reads are repeated only where that can help, and old data stay in view meanwhile. */
import { QueryClient } from "@tanstack/react-query";
import { ApiError } from "../api/client.ts";

const isPassing = (error: unknown) => error instanceof ApiError && error.isPassing;

/** Milliseconds until the next try: as the service asks, or longer each time. */
const pauseOf = (count: number, error: unknown) =>
  error instanceof ApiError && error.retryAfter !== undefined ? error.retryAfter * 1000 : 1000 * 2 ** count;

export const queries = new QueryClient({
  defaultOptions: {
    queries: {
      staleTime: 15_000,
      refetchOnWindowFocus: true,
      // without a network, too, so that a call fails and pages say so
      networkMode: "always",
      refetchOnReconnect: true,
      retry: (count, error) => count < 3 && isPassing(error),
      retryDelay: pauseOf,
    },
    mutations: { retry: false, networkMode: "always" },
  },
});
