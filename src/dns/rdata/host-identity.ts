/** A host's identity (RFC 8005 section 5): lengths of tag and key, algorithm, tag, key, and rendezvous servers. */
import { type Name, printName, scanName } from "../wire/name.ts";
import type { Tokens } from "../wire/presentation.ts";
import { joined, Reader, WireError } from "../wire/wire.ts";
import { printBase64, printHex, scanBase64, scanHex } from "./binary.ts";
import { type ApiPart, type FieldKind, restField } from "./kind.ts";
import { u8 } from "./numbers.ts";

export const hostIdentity: FieldKind = {
  ...restField({ scan, print: (field) => parts(field).join(" "), parse }),
  toApi: parts,
};

function parse(reader: Reader): Uint8Array {
  const head = reader.bytes(4);
  const [tagOctets, keyOctets] = [head[0]!, head[2]! * 256 + head[3]!];
  if (tagOctets === 0 || keyOctets === 0) throw new WireError("has an empty tag or key");
  const found = [head, reader.bytes(tagOctets + keyOctets)];
  while (reader.left > 0) found.push(reader.name());
  return joined(found);
}

function scan(tokens: Tokens, origin: Name): Uint8Array {
  const algorithm = u8.scan(tokens, origin, []);
  const tag = scanHex(tokens.next().text);
  const key = scanBase64(tokens.next().text);
  if (tag.length === 0 || tag.length > 255) throw new WireError("has a tag that is not 1 to 255 octets long");
  if (key.length === 0 || key.length > 0xffff) throw new WireError("has a key that is not 1 to 65535 octets long");
  const lengths = [Uint8Array.of(tag.length), algorithm, Uint8Array.of(key.length >> 8, key.length & 0xff)];
  return joined([...lengths, tag, key, ...tokens.rest().map(({ text }) => scanName(text, origin))]);
}

function parts(field: Uint8Array): ApiPart[] {
  const reader = new Reader(field);
  const [tagOctets, algorithm, keyOctets] = [reader.u8(), reader.u8(), reader.u16()];
  const found: ApiPart[] = [algorithm, printHex(reader.bytes(tagOctets)), printBase64(reader.bytes(keyOctets))];
  while (reader.left > 0) found.push(printName(reader.name()));
  return found;
}
