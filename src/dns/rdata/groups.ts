/** Fields of a fixed number of octets, written as hexadecimal digits in groups: hardware addresses and locators. */
import { show } from "../wire/presentation.ts";
import { WireError } from "../wire/wire.ts";
import { printHex, scanHex } from "./binary.ts";
import { type FieldKind, textField } from "./kind.ts";

/** RFC 7043 sections 3.2 and 4.2: `00-00-5e-00-53-2a`. */
export const eui48 = hardwareAddress(6);
export const eui64 = hardwareAddress(8);

/** RFC 6742 sections 2.1.3 and 2.3.3: four groups of up to four digits, `2001:db8:1140:1000`. */
export const locator64 = textField({
  read(text) {
    if (!/^[0-9a-f]{1,4}(?::[0-9a-f]{1,4}){3}$/i.test(text)) {
      throw new WireError(`${show(text)} is not four groups of hexadecimal digits such as 14:4fff:ff20:ee64`);
    }
    const groups = text.split(":").map((group) => group.padStart(4, "0"));
    return scanHex(groups.join(""));
  },
  // leading zeros stay: dig omits them, but Knot refuses to read such a locator
  write: (field) => printHex(field).toLowerCase().match(/.{4}/g)!.join(":"),
  parse: (reader) => reader.bytes(8),
});

function hardwareAddress(octets: number): FieldKind {
  const form = new RegExp(`^[0-9a-f]{2}(?:-[0-9a-f]{2}){${octets - 1}}$`, "i");
  return textField({
    read(text) {
      if (!form.test(text)) throw new WireError(`${show(text)} is not ${octets} octets such as 00-00-5e-...`);
      return scanHex(text.replaceAll("-", ""));
    },
    write: (field) => printHex(field).toLowerCase().match(/../g)!.join("-"),
    parse: (reader) => reader.bytes(octets),
  });
}
