/** The schema of an operation's body, for forms that are built from it. The description is read once in a visit. */
import { useQuery } from "@tanstack/react-query";
import type { ApiError, Operation } from "../api/client.ts";
import { bodyOf, readDescription, type Schema } from "../api/description.ts";

interface BodySchema {
  readonly schema: Schema | undefined;
  readonly error: ApiError | null;
  readonly retry: () => void;
}

export function useBodySchema(operation: Operation): BodySchema {
  const { data, error, refetch } = useQuery<Awaited<ReturnType<typeof readDescription>>, ApiError>({
    queryKey: ["description"],
    queryFn: ({ signal }) => readDescription(signal),
    staleTime: Number.POSITIVE_INFINITY,
  });
  return { schema: data && bodyOf(data, operation), error, retry: () => void refetch() };
}
