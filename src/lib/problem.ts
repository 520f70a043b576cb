/** Errors for callers: a stable code, an HTTP status, and a message that names the object. */

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

/** Additional data of an error: the field, names, limits, positions. */
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

/** A Problem as it passes between threads. */
export type PlainProblem = Pick<Problem, "code" | "message" | "details" | "status">;

export const plainProblem = ({ code, message, details, status }: Problem): PlainProblem => ({
  code,
  message,
  details,
  status,
});

export const problemFrom = ({ code, message, details, status }: PlainProblem) =>
  new Problem(code, message, details, status);

/** 400: the input is wrong; `details.field` names the field. */
export const invalid = (message: string, details?: Details) => new Problem("invalid", message, details);
/** 400: a field is wrong. */
export const invalidField = (field: string, reason: string, details?: Details) =>
  invalid(`${field}: ${reason}`, { field, ...details });
/** 401: no credential, or an unknown credential. */
export const unauthenticated = (message: string, details?: Details) => new Problem("unauthenticated", message, details);
/** 403: the credential lacks the right. */
export const denied = (message: string, details?: Details) => new Problem("denied", message, details);
/** 404: the object does not exist, or belongs to another account. */
export const missing = (message: string, details?: Details) => new Problem("missing", message, details);
/** 400, or 409 where existing clients expect that: the object exists already. */
export const conflict = (message: string, details?: Details, status?: 400 | 409) =>
  new Problem("conflict", message, details, status);
/** 429: a rate limit is exceeded. */
export const limited = (message: string, details?: Details) => new Problem("limited", message, details);
/** 400: the request is understood, but this version cannot do what it asks. */
export const notBuilt = (message: string, details?: Details) => new Problem("not_built", message, details);
/** 503: a service that we depend on is unavailable; the caller may retry. */
export const unavailable = (message: string) => new Problem("unavailable", message);

/** Reads a field. A Problem that `read` throws becomes `invalid`, with the field in its message and details. */
export function inField<T>(field: string, read: () => T): T {
  try {
    return read();
  } catch (error) {
    if (!(error instanceof Problem)) throw error;
    const { message, details } = error;
    throw invalid(`${field}: ${message}`, { ...details, field: within(field, details) });
  }
}

/** The path of `field`, followed by the field inside it that the details name, if any. */
const within = (field: string, details: Details | undefined) =>
  typeof details?.["field"] === "string" ? `${field}.${details["field"]}` : field;

/** Runs a step for one item of a request. */
export type Attempt = <T>(step: () => T) => T;

/** Makes the function that adds an item's position, name and further details to the Problems of its steps. */
export function attemptAt(field: string, name: string, about: Details): Attempt {
  const named = (error: unknown): never => {
    if (!(error instanceof Problem)) throw error;
    const { code, message, details, status } = error;
    throw new Problem(
      code,
      `${field} ${name}: ${message}`,
      { ...details, field: within(field, details), ...about },
      status,
    );
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
