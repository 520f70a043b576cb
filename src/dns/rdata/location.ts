/** The field for a place on earth (RFC 1876): `42 21 54 N 71 6 18 W -24m 30m`. */
import { show, type Tokens } from "../wire/presentation.ts";
import { Reader, WireError } from "../wire/wire.ts";
import { restField } from "./kind.ts";

export const location = restField({
  scan,
  print,
  parse(reader) {
    const field = reader.bytes(16);
    check(field);
    return field;
  },
});

/** Thousandths of a second of arc; on the wire, 2^31 is zero. */
const degree = 3_600_000;
const middle = 2 ** 31;
/** Altitudes are relative to this depth below the ellipsoid, in centimetres. */
const ground = 10_000_000;
/** Defaults of size, horizontal precision and vertical precision. */
const defaults = ["1m", "10000m", "10m"] as const;

function scan(tokens: Tokens): Uint8Array {
  const latitude = scanAngle(tokens, 90, "N", "S");
  const longitude = scanAngle(tokens, 180, "E", "W");
  const altitude = scanMetres(tokens.next().text) + ground;
  if (altitude < 0 || altitude > 0xffffffff) throw new WireError("has an altitude outside -100000m to 42849672.95m");
  const sizes = defaults.map((usual) => scanSize(tokens.left > 0 ? tokens.next().text : usual));
  const field = Buffer.from([0, ...sizes, ...new Uint8Array(12)]);
  [latitude, longitude, altitude].forEach((value, i) => void field.writeUInt32BE(value, 4 + 4 * i));
  return Uint8Array.from(field);
}

function scanAngle(tokens: Tokens, most: number, above: string, below: string): number {
  const parts: number[] = [];
  for (;;) {
    const { text } = tokens.next();
    const half = text.toUpperCase();
    if (parts.length > 0 && (half === above || half === below)) {
      const [degrees = 0, minutes = 0, seconds = 0] = parts;
      const angle = degrees * degree + minutes * 60_000 + Math.round(seconds * 1000);
      if (minutes < 60 && seconds < 60 && angle <= most * degree) return middle + (half === above ? angle : -angle);
      throw new WireError(`has an angle outside 0 to ${most} degrees, or 60 or more minutes or seconds`);
    }
    const form = parts.length < 2 ? /^\d{1,3}$/ : /^\d{1,2}(?:\.\d{1,3})?$/;
    if (parts.length === 3 || !form.test(text)) {
      throw new WireError(`${show(text)} is not degrees, minutes, seconds, and ${above} or ${below} after them`);
    }
    parts.push(Number(text));
  }
}

/** Centimetres. */
function scanMetres(text: string): number {
  if (!/^-?\d{1,8}(?:\.\d{1,2})?m?$/i.test(text)) throw new WireError(`${show(text)} is not a length such as 10m`);
  return Math.round(Number(text.replace(/m$/i, "")) * 100);
}

/** RFC 1876 section 2: a digit and a power of ten; more precise values are rounded down, as in its appendix A. */
function scanSize(text: string): number {
  const centimetres = scanMetres(text);
  if (centimetres < 0 || centimetres > 9e9) throw new WireError(`${show(text)} is not in 0 to 90000000m`);
  const exponent = Math.max(0, String(centimetres).length - 1);
  return (Math.floor(centimetres / 10 ** exponent) << 4) | (centimetres === 0 ? 0 : exponent);
}

function check(field: Uint8Array): void {
  if (field[0] !== 0) throw new WireError(`has the unknown version ${field[0]}`);
  for (const size of field.subarray(1, 4)) {
    const isSound = size >> 4 <= 9 && (size & 15) <= 9 && (size >> 4 > 0 || size === 0);
    if (!isSound) throw new WireError("has a size that is not a digit and a power of ten");
  }
  const [latitude, longitude] = numbersOf(field);
  const isOnEarth = Math.abs(latitude! - middle) <= 90 * degree && Math.abs(longitude! - middle) <= 180 * degree;
  if (!isOnEarth) throw new WireError("has an angle outside 90 or 180 degrees");
}

function numbersOf(field: Uint8Array): number[] {
  const reader = new Reader(field.subarray(4));
  return [reader.u32(), reader.u32(), reader.u32()];
}

function print(field: Uint8Array): string {
  const [latitude, longitude, altitude] = numbersOf(field);
  const sizes = [...field.subarray(1, 4)].map((size) => printSize((size >> 4) * 10 ** (size & 15)));
  const height = `${((altitude! - ground) / 100).toFixed(2)}m`;
  return [printAngle(latitude!, "N", "S"), printAngle(longitude!, "E", "W"), height, ...sizes].join(" ");
}

function printAngle(value: number, above: string, below: string): string {
  const angle = Math.abs(value - middle);
  const [degrees, minutes] = [Math.floor(angle / degree), Math.floor(angle / 60_000) % 60];
  return `${degrees} ${minutes} ${((angle % 60_000) / 1000).toFixed(3)} ${value < middle ? below : above}`;
}

const printSize = (centimetres: number) => `${(centimetres / 100).toFixed(centimetres < 100 ? 2 : 0)}m`;
