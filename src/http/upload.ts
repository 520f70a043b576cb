/** A file as the body of a request: its octets alone, or one field of a form (multipart/form-data, RFC 7578). */
import { invalid } from "../lib/problem.ts";

const mostParts = 100;
const maxPartHeader = 8192;

/** The file's octets, which share the body's memory. Throws `invalid` when a form does not have the field exactly once. */
export function uploadOf(body: Uint8Array, contentType: string, field: string): Buffer {
  const octets = Buffer.from(body.buffer, body.byteOffset, body.length);
  if (!/^\s*multipart\/form-data\b/i.test(contentType)) return octets;
  const found = partsOf(octets, boundaryOf(contentType)).filter(({ name }) => name === field);
  const [part, another] = found;
  if (!part) throw invalid(`the form has no field "${field}"`, { field });
  if (another) throw invalid(`the form has the field "${field}" more than once`, { field });
  return part.content;
}

/** RFC 2046 section 5.1.1: up to 70 characters. */
function boundaryOf(contentType: string): string {
  const [, quoted, plain] = /;\s*boundary=(?:"([^"]{1,70})"|([^\s;"]{1,70}))\s*(?:;|$)/i.exec(contentType) ?? [];
  const boundary = quoted ?? plain;
  if (boundary === undefined) throw invalid("the form's Content-Type names no boundary");
  return boundary;
}

interface Part {
  readonly name: string | undefined;
  readonly content: Buffer;
}

function partsOf(octets: Buffer, boundary: string): Part[] {
  const parts: Part[] = [];
  const delimiter = Buffer.from(`\r\n--${boundary}`);
  let at = octets.subarray(0, delimiter.length - 2).equals(delimiter.subarray(2))
    ? delimiter.length - 2
    : after(octets, delimiter, 0);
  while (octets.toString("latin1", at, at + 2) !== "--") {
    if (parts.length === mostParts) throw invalid(`the form has more than ${mostParts} parts`);
    const header = octets.indexOf("\r\n", at);
    const content = octets.indexOf("\r\n\r\n", at);
    const end = octets.indexOf(delimiter, content);
    if (header < 0 || content < 0 || end < 0) throw malformed();
    if (content - at > maxPartHeader) throw invalid("a part of the form has too long a header");
    parts.push({
      name: nameOf(octets.toString("utf8", header, content)),
      content: octets.subarray(Math.min(content + 4, end), end),
    });
    at = end + delimiter.length;
  }
  return parts;
}

function after(octets: Buffer, delimiter: Buffer, from: number): number {
  const at = octets.indexOf(delimiter, from);
  if (at < 0) throw malformed();
  return at + delimiter.length;
}

const malformed = () => invalid("the form is not complete: a part has no end");

/** The field's name; file names mean nothing here. */
const nameOf = (header: string): string | undefined => {
  const disposition = /^content-disposition:\s*form-data\s*;(.*)$/im.exec(header)?.[1] ?? "";
  const [, quoted, plain] = /(?:^|;)\s*name=(?:"([^"]*)"|([^\s;"]+))/i.exec(disposition) ?? [];
  return quoted ?? plain;
};
