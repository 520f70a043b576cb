/** A domain name: as the API writes it, and in Unicode on hover when that differs. */
import { Text, type TextProps, Tooltip } from "@mantine/core";
import { toUnicode } from "punycode/";
import { kitTexts } from "../text/kit.ts";
import { visibleOf } from "./plain.ts";

/** A name in Unicode; undefined if that is the same. */
export function unicodeOf(name: string): string | undefined {
  if (!/(^|\.)xn--/i.test(name)) return undefined;
  try {
    const text = toUnicode(name);
    return text === name ? undefined : visibleOf(text);
  } catch {
    return undefined;
  }
}

export function Name({ name, ...props }: { readonly name: string } & TextProps) {
  const text = (
    <Text component="span" inherit className="name" {...props}>
      {name}
    </Text>
  );
  const unicode = unicodeOf(name);
  return unicode === undefined ? text : <Tooltip label={kitTexts.unicode(unicode)}>{text}</Tooltip>;
}
