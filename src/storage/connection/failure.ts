/** Classifies failures of the store: whether the transaction may be retried, and the Problem for the caller. */
import { Problem, unavailable } from "../../lib/problem.ts";

/** Serialisation failure, deadlock: the transaction lost against another one, and should be retried. */
const lost = new Set(["40001", "40P01"]);
/** A statement or a wait for a lock that took too long. */
const late = new Set(["57014", "55P03"]);
/** The connection is gone or was refused: starting up, shutting down, too many connections. */
const gone = /^(08...|57P0[1-5]|53300|25P03|EPIPE|ENOENT|EAI_AGAIN|ECONN(RESET|REFUSED|ABORTED)|ETIMEDOUT)$/;
const diskFull = "53100";
/** The server is a standby, or was set to read only. */
const readOnly = "25006";
// pg reports these without a code
const goneMessage = /^Connection terminated/;
/** The connection was known to be gone, so the statement was not sent. */
const unsentMessage = /^Client (has encountered a connection error|was closed)/;
const crowded = /^timeout exceeded when trying to connect/;

const codeOf = (error: unknown) => (error instanceof Error && "code" in error ? String(error.code) : "");

/** Whether a transaction waited too long for a lock; also for its Problem. */
export const waitedForLock = (error: unknown) => codeOf(error instanceof Problem ? error.cause : error) === "55P03";

/** Whether a statement failed because of a duplicate key. */
export const isDuplicate = (error: unknown) => codeOf(error) === "23505";

export const isLost = (error: unknown) => lost.has(codeOf(error));

/** Whether a write found no room on the store's disk; also for its Problem. */
export const isOfFullDisk = (error: unknown) => codeOf(error instanceof Problem ? error.cause : error) === diskFull;

/** Whether the server takes no writes. The connection is of no use any more, even when another server takes its place. */
export const isReadOnly = (error: unknown) => codeOf(error) === readOnly;

export const isGone = (error: unknown) =>
  isReadOnly(error) ||
  gone.test(codeOf(error)) ||
  (error instanceof Error && goneMessage.test(error.message)) ||
  isUnsent(error);

export const isUnsent = (error: unknown) => error instanceof Error && unsentMessage.test(error.message);

/** Whether the store itself answered with an error, so that nothing was done; false when the connection ended. */
export const isRefusal = (error: unknown) =>
  error instanceof Error && "severity" in error && error.severity === "ERROR" && !isGone(error);

/** Whether the store or the connection failed, so that the transaction cannot continue. */
export const isOfStore = (error: unknown) => isRefusal(error) || isGone(error) || isLost(error);

/** Like `isRefusal`; for a Problem, looks at its cause. */
export const wasRefused = (error: unknown) => isRefusal(error instanceof Problem ? error.cause : error);

/** Returns the Problem for a failure of the store, with the failure as its cause; other errors unchanged. */
export function problemOf(error: unknown): unknown {
  if (error instanceof Problem) return error;
  const problem = meaningOf(error);
  if (problem) problem.cause = error;
  return problem ?? error;
}

function meaningOf(error: unknown): Problem | undefined {
  const code = codeOf(error);
  if (code === diskFull) return new Problem("unavailable", "the store's disk is full", undefined, 507);
  if (isReadOnly(error)) return unavailable("the store takes no writes: it is a standby, or was set to read only");
  if (isGone(error)) return unavailable("the store is not reachable");
  if (late.has(code)) return unavailable("the store did not answer in time");
  if (error instanceof Error && crowded.test(error.message)) return unavailable("the store is busy");
  if (lost.has(code)) return unavailable("too many concurrent writes to the same rows; try again");
  return undefined;
}
