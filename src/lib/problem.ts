/** Errors that a caller is meant to read: a stable code, an HTTP status, and a message that names the thing. */

export type ProblemCode =
  | "invalid"
  | "unauthenticated"
  | "denied"
  | "missing"
  | "method_not_allowed"
  | "conflict"
  | "precondition_failed"
  | "too_large"
  | "unsupported_media"
  | "limited"
  | "not_built"
  | "unavailable"
  | "internal";

const statuses: Record<ProblemCode, number> = {
  invalid: 400,
  unauthenticated: 401,
  denied: 403,
  missing: 404,
  method_not_allowed: 405,
  conflict: 400,
  precondition_failed: 412,
  too_large: 413,
  unsupported_media: 415,
  limited: 429,
  not_built: 400,
  unavailable: 503,
  internal: 500,
};

/** What went wrong with one field, or whatever else helps the reader: names, limits, positions. */
export type Details = Readonly<Record<string, unknown>>;

export class Problem extends Error {
  readonly code: ProblemCode;
  readonly status: number;
  readonly details: Details | undefined;

  constructor(code: ProblemCode, message: string, details?: Details, status: number = statuses[code]) {
    super(message);
    this.name = "Problem";
    this.code = code;
    this.status = status;
    this.details = details;
  }
}

/** 400: the input is wrong; `details.field` names the field. */
export const invalid = (message: string, details?: Details) => new Problem("invalid", message, details);
/** 401: no credential, or one that is not known. */
export const unauthenticated = (message: string, details?: Details) => new Problem("unauthenticated", message, details);
/** 403: the credential lacks the right. */
export const denied = (message: string, details?: Details) => new Problem("denied", message, details);
/** 404: not there, or another account's. */
export const missing = (message: string, details?: Details) => new Problem("missing", message, details);
/** 400, or 409 where existing clients expect it: it is there already. */
export const conflict = (message: string, details?: Details, status?: 400 | 409) =>
  new Problem("conflict", message, details, status);
/** 429: over a rate limit. */
export const limited = (message: string, details?: Details) => new Problem("limited", message, details);
/** 400: the request is understood, but this version cannot do it. */
export const notBuilt = (message: string, details?: Details) => new Problem("not_built", message, details);
/** 503: something behind us is away; the caller may try again. */
export const unavailable = (message: string) => new Problem("unavailable", message);

/** Runs a step for one item of a request. */
export type Attempt = <T>(step: () => T) => T;

/** The Problems of steps for one item name it: where it is in the request, how it is called, and what else is known of it. */
export function attemptAt(field: string, name: string, about: Details): Attempt {
  const named = (error: unknown): never => {
    if (!(error instanceof Problem)) throw error;
    const { code, message, details, status } = error;
    const inner = details?.["field"];
    const place = typeof inner === "string" ? `${field}.${inner}` : field;
    throw new Problem(code, `${field} ${name}: ${message}`, { ...details, field: place, ...about }, status);
  };
  return <T>(step: () => T): T => {
    try {
      const result = step();
      return result instanceof Promise ? (result.catch(named) as T) : result;
    } catch (error) {
      return named(error);
    }
  };
}
