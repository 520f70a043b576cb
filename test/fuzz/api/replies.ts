/** HTTP replies as they come from a socket, read without the tolerance of a library. */

export interface Reply {
  readonly status: number;
  readonly head: string;
  readonly body: string;
}

/** The first reply in some octets, and its length; undefined while it is incomplete. */
export function parseReply(octets: Buffer, method: string): { reply: Reply; length: number } | undefined {
  const end = octets.indexOf("\r\n\r\n");
  if (end < 0) return undefined;
  const head = octets.toString("latin1", 0, end);
  const status = Number(/^HTTP\/1\.1 (\d{3}) /.exec(head)?.[1]);
  const start = end + 4;
  if (status === 100) {
    const next = parseReply(octets.subarray(start), method);
    return next && { reply: next.reply, length: start + next.length };
  }
  const isBare = method === "HEAD" || status === 204 || status === 304;
  const length = isBare ? 0 : Number(field(head, "content-length") ?? Number.NaN);
  if (Number.isNaN(length) || Number.isNaN(status)) return { reply: { status, head, body: "" }, length: octets.length };
  if (octets.length < start + length) return undefined;
  return { reply: { status, head, body: octets.toString("utf8", start, start + length) }, length: start + length };
}

export const field = (head: string, name: string): string | undefined =>
  new RegExp(`^${name}: *(.*)$`, "im").exec(head)?.[1]?.trim();
