/** The cache of what was read. Reads are repeated only where that can help, and old data stay in view meanwhile. */
import { QueryClient } from "@tanstack/react-query";
import { ApiError } from "../api/client.ts";

const isPassing = (error: unknown) => error instanceof ApiError && (error.status === 0 || error.status >= 502);

export const queries = new QueryClient({
  defaultOptions: {
    queries: {
      staleTime: 15_000,
      refetchOnWindowFocus: true,
      retry: (count, error) => count < 3 && isPassing(error),
    },
    mutations: { retry: false },
  },
});
