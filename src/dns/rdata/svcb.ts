/** The parameters of SVCB and HTTPS records (RFC 9460): `alpn="h2,h3" port=8443`. */
import { show, type Tokens } from "../wire/presentation.ts";
import { joined, Reader, WireError } from "../wire/wire.ts";
import { type Before, type FieldKind, restField } from "./kind.ts";
import { formOf, keyName, keyNumber, printKey, scanParam } from "./svcparam.ts";

type Params = ReadonlyMap<number, Uint8Array>;

const written = restField({ scan, print, parse: (reader) => compose(parse(reader)) });

export const serviceParams: FieldKind = {
  ...written,
  fromApi: (values, before) => {
    const field = written.fromApi(values, before);
    // RFC 9460 section 2.4.2
    if (isAlias(before) && field.length > 0) throw new WireError("must be absent at priority 0, which makes an alias");
    return field;
  },
};

const isAlias = (before: Before) => before[0]!.every((octet) => octet === 0);

function scan(tokens: Tokens): Uint8Array {
  const params = new Map<number, Uint8Array>();
  for (const { text } of tokens.rest()) {
    const [, name, value] = /^([^=]*)(?:=(.*))?$/s.exec(text)!;
    const param = scanParam(name!, value ?? "");
    if (params.has(param.key)) throw new WireError(`${show(name)} occurs twice`);
    params.set(param.key, param.value);
  }
  return compose(checked(new Map([...params].sort(([a], [b]) => a - b))));
}

function compose(params: Params): Uint8Array {
  return joined(
    [...params].flatMap(([key, value]) => [
      Uint8Array.of(key >> 8, key & 0xff, value.length >> 8, value.length & 0xff),
      value,
    ]),
  );
}

function print(field: Uint8Array): string {
  return [...parse(new Reader(field))]
    .map(([key, value]) => {
      const text = formOf(key).print(value);
      return text === "" ? printKey(key) : `${printKey(key)}=${text}`;
    })
    .join(" ");
}

function parse(reader: Reader): Params {
  const params = new Map<number, Uint8Array>();
  let last = -1;
  while (reader.left > 0) {
    const key = reader.u16();
    if (key <= last) throw new WireError("has keys that are not in order");
    params.set(key, reader.bytes(reader.u16()));
    last = key;
  }
  return checked(params);
}

const mandatory = keyNumber("mandatory");
const alpn = keyNumber("alpn");
const noDefaultAlpn = keyNumber("no-default-alpn");

/** Checks each value, and the rules between keys (RFC 9460 sections 7.1.1 and 8). */
function checked(params: Params): Params {
  for (const [key, value] of params) {
    if (key === 0xffff) throw new WireError("has the key 65535, which is reserved");
    if (!formOf(key).isValid(value)) throw new WireError(`has an invalid value for ${show(keyName(key))}`);
  }
  if (params.has(noDefaultAlpn) && !params.has(alpn)) throw new WireError('has "no-default-alpn" without "alpn"');
  const needed = new Reader(params.get(mandatory) ?? new Uint8Array(0));
  while (needed.left > 0) {
    const key = needed.u16();
    if (!params.has(key)) throw new WireError(`lacks ${show(keyName(key))}, which it names as mandatory`);
  }
  return params;
}
