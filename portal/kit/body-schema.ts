/** The API's description of itself, for forms that are built from it. It is read once in a visit. */
import { useQuery } from "@tanstack/react-query";
import type { ApiError, Operation } from "../api/client.ts";
import { bodyOf, type Description, readDescription, type Schema } from "../api/description.ts";

interface BodySchema {
  readonly schema: Schema | undefined;
  readonly error: ApiError | null;
  readonly retry: () => void;
}

export const useDescription = () =>
  useQuery<Description, ApiError>({
    queryKey: ["description"],
    queryFn: ({ signal }) => readDescription(signal),
    staleTime: Number.POSITIVE_INFINITY,
  });

/** The schema of an operation's body. */
export function useBodySchema(operation: Operation): BodySchema {
  const { data, error, refetch } = useDescription();
  return { schema: data && bodyOf(data, operation), error, retry: () => void refetch() };
}
