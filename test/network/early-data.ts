/** TLS sessions that claim to allow early data (RFC 8446 section 4.2.10), regardless of the server's settings. */

/** `SSL_SESSION` as OpenSSL keeps it (i2d_SSL_SESSION(3)): a sequence whose optional fields have tags. */
const tagOfEarlyData = 0xaf;

/** An INTEGER of 16,384. */
const allowed = Buffer.from([0x02, 2, 0x40, 0]);

/** The session in PEM, with 16 KB of early data allowed. */
export function allowEarlyData(pem: string): string {
  const der = Buffer.from(pem.replace(/-----[^-]+-----/g, ""), "base64");
  const fields = elements(contents(der)).filter(({ tag }) => tag !== tagOfEarlyData);
  const place = fields.findIndex(({ tag }) => tag > tagOfEarlyData);
  const early = { tag: tagOfEarlyData, octets: element(tagOfEarlyData, allowed) };
  const all = fields.toSpliced(place < 0 ? fields.length : place, 0, early);
  const text = element(0x30, Buffer.concat(all.map((field) => field.octets))).toString("base64");
  const lines = text.replace(/.{64}/g, "$&\n");
  return `-----BEGIN SSL SESSION PARAMETERS-----\n${lines}\n-----END SSL SESSION PARAMETERS-----\n`;
}

function element(tag: number, value: Buffer): Buffer {
  const { length } = value;
  const size = length < 128 ? [length] : [0x82, length >>> 8, length & 255];
  return Buffer.concat([Buffer.from([tag, ...size]), value]);
}

/** The start and end of the value of the element at `at`. */
function extent(der: Buffer, at: number): readonly [from: number, to: number] {
  const first = der[at + 1]!;
  if (first < 128) return [at + 2, at + 2 + first];
  const from = at + 2 + (first & 127);
  return [from, from + der.readUIntBE(at + 2, first & 127)];
}

const contents = (der: Buffer) => der.subarray(...extent(der, 0));

function elements(der: Buffer): { readonly tag: number; readonly octets: Buffer }[] {
  const found: { tag: number; octets: Buffer }[] = [];
  for (let at = 0; at < der.length; ) {
    const [, end] = extent(der, at);
    found.push({ tag: der[at]!, octets: der.subarray(at, end) });
    at = end;
  }
  return found;
}
