/** Errors as answers: always JSON, never a stack, and nothing of an error that the caller is not meant to read. */
import type { Log } from "../../lib/log.ts";
import { Problem } from "../../lib/problem.ts";

export interface ErrorBody {
  readonly message: string;
  readonly code: string;
  readonly details?: unknown;
}

export const printError = ({ message, code, details }: ErrorBody) =>
  `${JSON.stringify({ message, code, ...(details === undefined ? {} : { details }) })}\n`;

export interface Refusal {
  readonly status: number;
  /** Of a 403 alone: clients compare the names of other statuses. */
  readonly reason?: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

/** `what` names the request in the log: its route, not its URL, which may hold a secret. */
export function refusalOf(error: unknown, requestId: string, what: string, log: Log): Refusal {
  if (!(error instanceof Problem) || error.code === "internal") {
    log.error({ err: error, request_id: requestId, route: what }, "a request failed");
    const message = `internal error, request id ${requestId}`;
    return { status: 500, headers: {}, body: printError({ message, code: "internal" }) };
  }
  const refusal = { status: error.status, headers: headersOf(error), body: printError(error) };
  return error.code === "denied" ? { ...refusal, reason: reasonOf(error.message) } : refusal;
}

/**
 * Who lacks a right often sees no more than the first line of the response, as tools show nothing of its body. RFC 9112
 * section 4, without tabs and obsolete text.
 */
const reasonOf = (message: string) => message.replace(/[^ -~]/g, "?").slice(0, 200);

function headersOf({ code, details }: Problem): Record<string, string> {
  switch (code) {
    case "unauthenticated":
      return { "www-authenticate": 'ApiKey realm="api"' };
    case "too_large":
      return { connection: "close" };
    case "limited":
      return details?.["retry_after"] === undefined ? {} : { "retry-after": String(details["retry_after"]) };
    case "unavailable":
      return { "retry-after": "1" };
    default:
      return {};
  }
}
