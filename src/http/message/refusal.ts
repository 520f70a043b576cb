/** Converts errors to answers: always JSON, without stacks or internal details. */
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
  /** Only with a 403: clients compare the reason phrases of other statuses. */
  readonly reason?: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

/** `route` names the request in the log, instead of the URL, which can contain a secret. */
export function refusalOf(error: unknown, requestId: string, route: string, log: Log): Refusal {
  if (!(error instanceof Problem) || error.code === "internal") {
    log.error({ err: error, request_id: requestId, route }, "a request failed");
    const message = `internal error, request id ${requestId}`;
    return { status: 500, headers: {}, body: printError({ message, code: "internal" }) };
  }
  const refusal = { status: error.status, headers: headersOf(error), body: printError(error) };
  return error.code === "denied" ? { ...refusal, reason: reasonOf(error.message) } : refusal;
}

/**
 * The reason phrase, for callers whose tools show only the status line and not the body. RFC 9112 section 4, without
 * tabs and octets above ASCII.
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
    case "precondition_failed":
      // the details may have the present state, with its secrets
      return { "cache-control": "no-store" };
    case "unavailable":
      return { "retry-after": "1" };
    default:
      return {};
  }
}
