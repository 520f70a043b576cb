/** The gateway of an IPSECKEY record. The second field, the gateway type, sets its form (RFC 4025 section 2.3). */

import { WireError } from "../wire/wire.ts";
import { ipv4, ipv6 } from "./addresses.ts";
import type { Before, FieldKind } from "./kind.ts";
import { textField } from "./kind.ts";
import { name } from "./names.ts";

const none = textField({
  read: (text) => {
    if (text !== ".") throw new WireError('must be ".", because gateway type 0 means that there is no gateway');
    return new Uint8Array(0);
  },
  write: () => ".",
  parse: () => new Uint8Array(0),
});

const kinds = [none, ipv4, ipv6, name];

/** The kind of field for a gateway of type 0 to 3. */
export const gatewayOf = (type: number): FieldKind => kinds[type]!;

const kindAfter = (before: Before): FieldKind => gatewayOf(before[1]![0]!);

export const gateway: FieldKind = {
  takes: "one",
  compress: false,
  fromApi: (values, before) => kindAfter(before).fromApi(values, before),
  toApi: (field, before) => kindAfter(before).toApi(field, before),
  scan: (tokens, origin, before) => kindAfter(before).scan(tokens, origin, before),
  print: (field, before) => kindAfter(before).print(field, before),
  parse: (reader, before) => kindAfter(before).parse(reader, before),
};
