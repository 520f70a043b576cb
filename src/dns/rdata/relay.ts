/** The field of a multicast relay (RFC 8777 section 4): discovery flag, type of relay, and the relay. */
import { joined, WireError } from "../wire/wire.ts";
import { gatewayOf } from "./gateway.ts";
import { type FieldKind, restField } from "./kind.ts";
import { gatewayType, numberUpTo } from "./numbers.ts";

const discovery = numberUpTo(1);
const discoveryBit = 0x80;

const written = restField({
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
});

export const relay: FieldKind = {
  ...written,
  toApi(field, before) {
    const [flag, type, text] = written.print(field, before).split(" ");
    return [Number(flag), Number(type), text!];
  },
};
