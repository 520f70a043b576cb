/** Rules that every reply must follow, for any request. */
import { canary } from "./hostile.ts";
import { smuggled } from "./noise.ts";
import type { Operation } from "./operations.ts";
import { field, type Reply } from "./replies.ts";
import type { FuzzRequest } from "./requests.ts";

/** Texts from code, file paths and SQL, which no request contains, so that an echo is not reported as a leak. */
const inside =
  /node:internal|node_modules|\bat (?:async )?[\w.<>]+ \(|\.ts:\d+|\/(?:work|home|usr|root|tmp)\/|insert into|\bselect\b.+\bfrom\b|duplicate key|violates|\bpg_|relation "|syntax error at|TypeError|RangeError|ReferenceError/i;

/** The fault of a reply; undefined if there is none. The run itself limits replies of 503. */
export function faultOf(request: FuzzRequest, reply: Reply, limited: ReadonlySet<string>): string | undefined {
  const { status, head, body } = reply;
  if (!(status >= 200 && status <= 599)) return "no status line";
  if (new RegExp(`^${canary}`, "im").test(head)) return "a header that came from the request's text";
  if (status >= 500 && !isShed(reply)) return `status ${status}`;
  if (request.method === "HEAD" || status === 204 || status === 304) return undefined;
  const isJson = field(head, "content-type")?.startsWith("application/json") ?? false;
  const value = isJson ? parsed(body) : undefined;
  if (isJson && value === undefined) return "a body that is not JSON";
  if (status >= 400) return faultOfRefusal(isJson, value, body);
  if (!isPermitted(request, limited)) return `status ${status} without the right`;
  const fault = isJson && status === 200 && isAsItWas(request) ? request.operation?.faultOfReply(value) : undefined;
  return fault && `a reply that is not as documented: ${fault}`;
}

/** 503 with Retry-After: more than the service takes on at once. */
const isShed = ({ status, head }: Reply) => status === 503 && field(head, "retry-after") !== undefined;

function faultOfRefusal(isJson: boolean, value: unknown, body: string): string | undefined {
  const { message, code } = Object(value) as { message?: unknown; code?: unknown };
  if (!isJson || typeof message !== "string" || message === "" || typeof code !== "string") {
    return "a refusal without message and code in JSON";
  }
  if (inside.test(body)) return "a refusal that reveals internals";
  return body.includes(`"path":"${smuggled}"`) ? "a request inside another's body was answered" : undefined;
}

/** If method and path may be another operation's, the expected reply is unknown. */
const isAsItWas = ({ kind }: FuzzRequest) => kind !== "path" && kind !== "method";

function isPermitted(request: FuzzRequest, limited: ReadonlySet<string>): boolean {
  const { who, operation } = request;
  if (who === "full" || who === "user" || operation === undefined || !isAsItWas(request)) return true;
  return mayAsk(operation, who === "limited" ? limited : undefined);
}

const mayAsk = ({ rights }: Operation, held: ReadonlySet<string> | undefined) =>
  rights.includes("open") || (held !== undefined && rights.some((right) => right === "any" || held.has(right)));

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
