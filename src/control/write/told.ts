/** Refusals that say which part of a request they are about. */
import { Problem } from "../../lib/problem.ts";

/**
 * Makes the function that runs a step for one part of a body: what the step throws says which part that was, with the
 * part's name and the details that tell it from others.
 */
export function toldOf(field: string, name: string, about: Readonly<Record<string, unknown>>) {
  const tell = (error: unknown): never => {
    if (!(error instanceof Problem)) throw error;
    const { code, message, details, status } = error;
    const inner = details?.["field"];
    const place = typeof inner === "string" ? `${field}.${inner}` : field;
    throw new Problem(code, `${field} ${name}: ${message}`, { ...details, field: place, ...about }, status);
  };
  return <T>(step: () => T): T => {
    try {
      const result = step();
      // a promise that is refused is refused the same way
      return result instanceof Promise ? (result.catch(tell) as T) : result;
    } catch (error) {
      return tell(error);
    }
  };
}

export type Told = ReturnType<typeof toldOf>;
