/** The API's description of itself (OpenAPI): pages take from it what they would otherwise have to know. */
import { ApiError, type Operation, root } from "./client.ts";

/** A JSON schema, as far as pages read it. */
export interface Schema {
  readonly type?: string | readonly string[];
  readonly description?: string;
  readonly enum?: readonly unknown[];
  readonly properties?: { readonly [name: string]: Schema };
}

interface Described {
  /** The right that the operation needs, or several of which one is enough; `any` and `open` need none. */
  readonly "x-right": string | readonly string[];
  readonly requestBody?: { readonly content: { readonly [type: string]: { readonly schema: Schema } } };
}

export interface Description {
  readonly paths: { readonly [path: string]: { readonly [method: string]: Described } };
}

/** Reads the description of all operations. */
export async function readDescription(signal: AbortSignal): Promise<Description> {
  const response = await fetch(new URL("v1/openapi.json", root), { signal, credentials: "same-origin" }).catch(
    (error: unknown) => {
      if (signal.aborted) throw error;
      throw new ApiError(0, "the service cannot be reached");
    },
  );
  if (!response.ok) throw new ApiError(response.status, `the service answered ${response.status}`);
  return (await response.json()) as Description;
}

/** The schema of an operation's body. */
export const bodyOf = (description: Description, operation: Operation): Schema | undefined =>
  describedOf(description, operation)?.requestBody?.content["application/json"]?.schema;

/** The rights of which an operation needs one; none if it needs no right. */
export const rightsFor = (description: Description, operation: Operation): string[] =>
  [describedOf(description, operation)?.["x-right"] ?? []]
    .flat()
    .filter((right) => right !== "any" && right !== "open");

function describedOf({ paths }: Description, operation: Operation): Described | undefined {
  const [method = "", path = ""] = operation.split(" ");
  return paths[path]?.[method.toLowerCase()];
}
