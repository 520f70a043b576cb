/** Domain names: uncompressed wire format in the service, one canonical spelling in the API. */
import { domainToASCII } from "node:url";
import { invalid } from "../../lib/problem.ts";
import { decimalEscape, escapeAt, show } from "./presentation.ts";
import { WireError } from "./wire.ts";

/** Labels and the root's zero octet, never compressed, in their original case. */
export type Name = Uint8Array;

export const root: Name = Uint8Array.of(0);

/** The most octets of a name in wire format (RFC 1035 section 2.3.4). */
export const mostOctets = 255;
const mostLabelOctets = 63;

/** A buffer for building names, longer than a name by a label: a label is written before its length is checked. */
const scratch = new Uint8Array(mostOctets + mostLabelOctets);

/** Reads presentation format. A name without a final dot is relative to `origin`, which is the root when not given. */
export function scanName(text: string, origin: Name = root): Name {
  if (text === "@") return origin;
  if (text === ".") return root;
  if (text === "") throw new WireError("is empty");
  let label = 0;
  let at = 1;
  for (let i = 0; i < text.length; i++) {
    const code = text.charCodeAt(i);
    if (code === dot) {
      label = endLabel(text, label, at++);
      continue;
    }
    if (at - label > mostLabelOctets) throw new WireError(`${show(text)} has a label longer than 63 octets`);
    if (at >= mostOctets) throw new WireError(`${show(text)} is longer than 255 octets`);
    if (code === backslash) {
      const { octet, size } = escapeAt(text, i);
      scratch[at++] = octet;
      i += size - 1;
    } else {
      if (code <= 0x20 || code >= 0x7f) throw notPlain(text, code);
      scratch[at++] = code;
    }
  }
  const absolute = at === label + 1;
  if (!absolute) label = endLabel(text, label, at);
  const end = absolute ? root : origin;
  if (label + end.length > mostOctets) throw new WireError(`${show(text)} is longer than 255 octets`);
  for (let i = 0; i < end.length; i++) scratch[label + i] = end[i]!;
  return scratch.slice(0, label + end.length);
}

/** Writes the length of the label at `label`; its octets end before `at`, and the next label begins there. */
function endLabel(text: string, label: number, at: number): number {
  if (at === label + 1) throw new WireError(`${show(text)} has an empty label`);
  scratch[label] = at - label - 1;
  return at;
}

const dot = 0x2e;
const backslash = 0x5c;

function notPlain(text: string, code: number): WireError {
  const what = code > 0x7f ? "character outside ASCII" : "blank or control character";
  return new WireError(`${show(text)} has a ${what}, which is written as \\DDD${code > 0x7f ? "" : " in a name"}`);
}

/** The characters that BIND escapes with a backslash: . " $ ( ) ; @ \ */
const special = new Set([dot, 0x22, 0x24, 0x28, 0x29, 0x3b, 0x40, backslash]);
const spelling = Array.from({ length: 256 }, (_, octet) => {
  if (octet <= 0x20 || octet > 0x7e) return decimalEscape(octet);
  return (special.has(octet) ? "\\" : "") + String.fromCharCode(octet);
});

/** Presentation format, with the final dot. */
export function printName(name: Name): string {
  if (name[0] === 0) return ".";
  let text = "";
  for (let at = 0; name[at] !== 0; ) {
    const end = at + 1 + name[at]!;
    for (at += 1; at < end; at++) text += spelling[name[at]!];
    text += ".";
  }
  return text;
}

/** A name as an API client writes it, with or without final dot; labels outside ASCII become A-labels (UTS 46). */
export function scanApiName(text: string): Name {
  if (text === "@") throw new WireError('"@" is not a name');
  // An octet takes at most the four characters of an escape: this bounds the work below
  if (text.length > 4 * mostOctets) throw new WireError(`${show(text)} is longer than 255 octets`);
  return scanName(isAscii(text) ? text : splitLabels(text).map(asciiLabel).join("."));
}

const isAscii = (text: string) => !/[^\0-\x7f]/.test(text);

/** Splits at dots that are not escaped. */
const splitLabels = (text: string) => text.match(/(?:\\.|[^.\\]|\\$)+|(?<=^|\.)(?=\.|$)/gsu) ?? [];

function asciiLabel(label: string): string {
  if (isAscii(label)) return label;
  // `domainToASCII` is for hosts of URLs, in which "/", "%", ":" and other characters end the host or encode octets
  const ascii = /^[\p{L}\p{N}\p{M}\p{S}\p{Cf}_·・-]+$/u.test(label) ? domainToASCII(label) : "";
  if (!/^[a-z0-9_-]+$/.test(ascii)) throw new WireError(`${show(label)} is not a valid international label`);
  return ascii;
}

/** The API's form of a name: no final dot, but "." for the root. */
export function nameToApi(name: Name): string {
  return name[0] === 0 ? "." : printName(name).slice(0, -1);
}

/** An owner or zone name from the API, in lower case. */
export function nameFromApi(text: string): Name {
  try {
    return lowerName(scanApiName(text));
  } catch (error) {
    if (error instanceof WireError) throw invalid(`name ${error.message}`, { name: text });
    throw error;
  }
}

/** The canonical spelling of a name in the service: lower case, no final dot, escapes only where needed. */
export const apiName = (text: string): string => nameToApi(nameFromApi(text));

/** The ancestors of a name, nearest first, without the root. A dot inside a label is written with a backslash. */
export function ancestorsOf(zone: string): string[] {
  const labels = zone.match(/(?:\\.|[^.\\])+/gs) ?? [];
  return labels.slice(1).map((_, i) => labels.slice(i + 1).join("."));
}

/** The name and its ancestors, nearest first, without the root: the zones that may contain it. */
export const upwardsFrom = (name: string): string[] => [name, ...ancestorsOf(name)];

const lower = Uint8Array.from({ length: 256 }, (_, octet) => (octet >= 0x41 && octet <= 0x5a ? octet + 0x20 : octet));

/** The name with ASCII letters in lower case. Length octets stay as they are: they are at most 63, so not letters. */
export function lowerName(name: Name): Name {
  const lowered = new Uint8Array(name.length);
  for (let i = 0; i < name.length; i++) lowered[i] = lower[name[i]!]!;
  return lowered;
}

/** The number of octets of the name at `at` in a message or RDATA; the name has no pointers. */
export function lengthOfName(octets: Uint8Array, at: number): number {
  let end = at;
  while (octets[end] !== 0) end += octets[end]! + 1;
  return end + 1 - at;
}

/** The number of labels, without the root's. */
export function labelCount(name: Name): number {
  let count = 0;
  for (let at = 0; name[at] !== 0; at += 1 + name[at]!) count += 1;
  return count;
}

/** Whether `name` is `ancestor` or below it. */
export function isSubdomain(name: Name, ancestor: Name): boolean {
  let at = 0;
  while (name.length - at > ancestor.length) at += 1 + name[at]!;
  if (name.length - at !== ancestor.length) return false;
  for (let i = 0; i < ancestor.length; i++) if (lower[ancestor[i]!] !== lower[name[at + i]!]) return false;
  return true;
}

/** Canonical order (RFC 4034 section 6.1): label by label from the root, lower case, octet by octet. */
export function compareNames(a: Name, b: Name): number {
  const ours = labelStarts(a);
  const theirs = labelStarts(b);
  for (let i = 1; i <= Math.min(ours.length, theirs.length); i++) {
    const order = compareLabels(a, ours.at(-i)!, b, theirs.at(-i)!);
    if (order !== 0) return order;
  }
  return ours.length - theirs.length;
}

function labelStarts(name: Name): number[] {
  const starts: number[] = [];
  for (let at = 0; name[at] !== 0; at += 1 + name[at]!) starts.push(at);
  return starts;
}

function compareLabels(a: Name, atA: number, b: Name, atB: number): number {
  const size = Math.min(a[atA]!, b[atB]!);
  for (let i = 1; i <= size; i++) {
    const order = lower[a[atA + i]!]! - lower[b[atB + i]!]!;
    if (order !== 0) return order;
  }
  return a[atA]! - b[atB]!;
}
