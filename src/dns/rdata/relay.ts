/** A multicast relay (RFC 8777 section 4): whether clients look further, the kind of relay, and the relay. */

import { root } from "../wire/name.ts";
import { tokenize } from "../wire/presentation.ts";
import { joined, WireError } from "../wire/wire.ts";
import { gatewayOf } from "./gateway.ts";
import { apiText, type FieldKind } from "./kind.ts";
import { gatewayType, numberUpTo } from "./numbers.ts";

const discovery = numberUpTo(1);
const discoveryBit = 0x80;

export const relay: FieldKind = {
  takes: "rest",
  compress: false,
  fromApi: (values) => {
    const tokens = tokenize(values.map(apiText).join(" "));
    const field = relay.scan(tokens, root, []);
    if (tokens.left > 0) throw new WireError("has more than discovery, type and relay");
    return field;
  },
  toApi(field) {
    const [flag, type, text] = relay.print(field, []).split(" ");
    return [Number(flag), Number(type), text!];
  },
  scan(tokens, origin) {
    const flag = discovery.scan(tokens, origin, [])[0]!;
    const type = gatewayType.scan(tokens, origin, [])[0]!;
    return joined([Uint8Array.of(flag * discoveryBit + type), gatewayOf(type).scan(tokens, origin, [])]);
  },
  print(field) {
    const type = field[0]! % discoveryBit;
    return `${field[0]! >> 7} ${type} ${gatewayOf(type).print(field.subarray(1), [])}`;
  },
  parse(reader) {
    const head = reader.u8();
    const type = head % discoveryBit;
    if (type > 3) throw new WireError(`has the unknown type ${type}`);
    return joined([Uint8Array.of(head), gatewayOf(type).parse(reader, [])]);
  },
};
