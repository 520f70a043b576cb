/**
 * Packets drawn from a seed: valid queries, damaged queries, and other messages inside and outside the grammar of DNS.
 */

import { type Draw, drawFrom } from "../interop/differential/draw.ts";
import { seededRandom } from "../machine/random.ts";
import { PacketWriter } from "./writer.ts";

export const kinds = ["sound", "damaged", "names", "options", "sections", "header", "octets", "large"] as const;
export type Kind = (typeof kinds)[number];

export interface Packet {
  readonly kind: Kind;
  /** The sender sets the ID, which is the first two octets. */
  readonly octets: Buffer;
}

/** Repeated entries are drawn more often. */
const turns: readonly Kind[] = [
  ...(["sound", "sound", "sound", "damaged", "damaged", "damaged", "damaged"] as const),
  ...(["names", "names", "options", "options", "options", "sections", "sections", "header", "octets"] as const),
];
/** One packet in this many has thousands of octets. */
const largeOneIn = 200;

const types = [1, 2, 5, 6, 12, 15, 16, 28, 33, 35, 39, 43, 46, 47, 48, 52, 64, 65, 99, 255, 257, 65_401];
const oddTypes = [0, 10, 41, 128, 249, 250, 251, 252, 253, 254, 65_399, 65_400, 65_535];
const classes = [0, 2, 3, 4, 254, 255, 65_280];
const payloads = [0, 511, 512, 513, 1232, 1400, 4096, 65_535];
const optionCodes = [1, 3, 5, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 20, 26_946, 65_001, 65_535];
const labels = ["www", "a", "b", "ent", "wild", "sub", "d", "to", "grow", "link3", "self", "large", "x", "*", "steer0"];
const rrTypes = [1, 2, 5, 6, 16, 28, 41, 46, 250, 257];

export class PacketMaker {
  readonly #draw: Draw;
  readonly #names: readonly string[];
  readonly #writer = new PacketWriter();

  /** `names` are asked for more often than other names. */
  constructor(seed: number, names: readonly string[]) {
    this.#draw = drawFrom(seededRandom(seed));
    this.#names = names;
  }

  next(): Packet {
    const draw = this.#draw;
    const kind = draw.number(1, largeOneIn) === 1 ? "large" : draw.pick(turns);
    this.#writer.start();
    this[kind]();
    return { kind, octets: this.#writer.copy() };
  }

  private sound(): void {
    const draw = this.#draw;
    const hasOpt = draw.chance(0.7);
    this.#header(draw.chance(0.5) ? 0x0100 : 0, 1, 0, 0, hasOpt ? 1 : 0);
    this.#question(draw.pick(this.#names), draw.pick(types), 1);
    if (draw.chance(0.2)) this.#writer.flipCase(12, draw);
    if (hasOpt) this.#opt(draw.pick(payloads), () => draw.chance(0.5) && this.#soundOption());
  }

  private damaged(): void {
    const draw = this.#draw;
    this.sound();
    const writer = this.#writer;
    for (let times = draw.number(1, 6); times > 0; times--) {
      const at = draw.number(2, writer.length);
      switch (draw.number(0, 7)) {
        case 0:
          writer.length = at;
          break;
        case 1:
          writer.insert(at, draw.number(0, 255));
          break;
        case 2:
          writer.remove(at);
          break;
        case 3:
          // lengths, counts and pointers
          writer.set(at, draw.pick([0, 1, 0x3f, 0x40, 0x80, 0xc0, 0xff]));
          break;
        case 4:
          writer.set(at, draw.number(0, 255));
          writer.set(2, 0);
          break;
        case 5:
          writer.repeat(at, draw.number(1, 60));
          break;
        default:
          if (at > 11) writer.set(at, draw.number(0, 255));
      }
    }
  }

  private names(): void {
    const draw = this.#draw;
    this.#header(0x0100, 1, 0, 0, 0);
    if (draw.chance(0.6)) this.#oddName();
    else this.#deepName();
    if (draw.chance(0.9)) this.#writer.u16(draw.pick(draw.chance(0.8) ? types : oddTypes));
    if (draw.chance(0.95)) this.#writer.u16(draw.chance(0.85) ? 1 : draw.pick(classes));
  }

  private options(): void {
    const draw = this.#draw;
    const hasQuestion = draw.chance(0.9);
    this.#header(0, hasQuestion ? 1 : 0, 0, 0, 1);
    if (hasQuestion) this.#question(draw.pick(this.#names), draw.pick(types), 1);
    this.#opt(
      draw.pick(payloads),
      () => {
        for (let count = draw.number(0, 5); count > 0; count--) {
          if (draw.chance(0.4)) this.#soundOption();
          else this.#oddOption();
        }
      },
      draw.chance(0.1) ? draw.number(0, 255) : 0,
    );
    // an OPT or an option with a wrong length
    if (draw.chance(0.2)) this.#writer.set(draw.number(12, this.#writer.length), draw.number(0, 255));
  }

  private sections(): void {
    const draw = this.#draw;
    const counts = [draw.pick([1, 1, 1, 0, 2]), draw.number(0, 2), draw.number(0, 2), draw.number(0, 3)];
    this.#header(draw.pick([0, 0x0100, 0x2400, 0x2800]), ...(counts as [number, number, number, number]));
    for (let count = counts[0]!; count > 0; count--) this.#question(draw.pick(this.#names), draw.pick(types), 1);
    for (let count = counts[1]! + counts[2]! + counts[3]!; count > 0; count--) this.#record();
    if (draw.chance(0.3)) this.#writer.set(draw.number(4, 11), draw.pick([0, 1, 2, 255]));
    if (draw.chance(0.1)) for (let count = draw.number(1, 30); count > 0; count--) this.#writer.u8(draw.number(0, 255));
  }

  private header(): void {
    const draw = this.#draw;
    const count = () => draw.pick([0, 0, 0, 1, 1, 2, 255, 65_535]);
    const flags = draw.number(0, 0xffff) & (draw.chance(0.9) ? 0x7fff : 0xffff);
    this.#header(draw.chance(0.5) ? flags : flags & 0x07ff, draw.pick([1, 1, 1, count()]), count(), count(), count());
    if (draw.chance(0.7)) this.#question(draw.pick(this.#names), draw.pick(oddTypes), draw.pick([1, ...classes]));
    if (draw.chance(0.5)) this.#opt(draw.pick(payloads), () => {}, draw.pick([0, 1, 255]));
  }

  private octets(): void {
    const draw = this.#draw;
    for (let length = draw.number(0, draw.pick([11, 12, 40, 300])); length > 0; length--) {
      this.#writer.u8(draw.number(0, 255));
    }
    if (draw.chance(0.8) && this.#writer.length > 2) this.#writer.set(2, draw.number(0, 0x7f));
  }

  private large(): void {
    const draw = this.#draw;
    this.#header(0, 1, 0, 0, 1);
    this.#question(draw.pick(this.#names), draw.pick(types), 1);
    this.#opt(4096, () => {
      for (let count = draw.number(1, 4); count > 0; count--) {
        const length = draw.number(0, 3000);
        this.#writer.u16(draw.pick([12, 65_001, 100]));
        this.#writer.u16(length);
        this.#writer.fill(length, draw.number(0, 255));
      }
    });
  }

  #header(flags: number, questions: number, answers: number, authorities: number, additionals: number): void {
    for (const value of [0, flags, questions, answers, authorities, additionals]) this.#writer.u16(value);
  }

  #question(name: string, type: number, klass: number): void {
    this.#writer.name(name);
    this.#writer.u16(type);
    this.#writer.u16(klass);
  }

  /** Names up to the limits, and often one octet or label beyond. */
  #deepName(): void {
    const draw = this.#draw;
    const length = draw.pick([1, 2, 31, 63]);
    const count = draw.number(1, Math.ceil(260 / (length + 1)));
    for (let label = 0; label < count; label++) {
      this.#writer.u8(length);
      for (let at = 0; at < length; at++) this.#writer.u8(draw.number(0, 255));
    }
    this.#writer.name(draw.pick(this.#names));
  }

  #oddName(): void {
    const draw = this.#draw;
    for (let count = draw.number(0, 4); count > 0; count--) this.#writer.label(draw.pick(labels));
    switch (draw.number(0, 6)) {
      case 0:
        this.#writer.u16(0xc000 | draw.number(0, 40));
        break;
      case 1:
        this.#writer.u8(draw.pick([0x40, 0x41, 0x80, 0xbf, 0xc0, 0xff]));
        break;
      case 2:
        break;
      default:
        this.#writer.name(draw.pick(this.#names));
    }
  }

  #opt(payload: number, options: () => unknown, version = 0): void {
    const draw = this.#draw;
    this.#writer.u8(0);
    for (const value of [41, payload, version, draw.chance(0.3) ? 0x8000 : 0]) this.#writer.u16(value);
    this.#writer.sized(options);
  }

  #soundOption(): void {
    const draw = this.#draw;
    const writer = this.#writer;
    const code = draw.pick([3, 8, 8, 8, 10, 10, 11, 12, 65_001]);
    writer.u16(code);
    writer.sized(() => {
      if (code === 8) this.#subnet();
      else if (code === 10) writer.random(draw.pick([8, 24]), draw);
      else if (code === 12) writer.fill(draw.number(0, 64), 0);
    });
  }

  #subnet(): void {
    const draw = this.#draw;
    const family = draw.pick([1, 1, 2, 0]);
    const bits = family === 0 ? 0 : draw.number(0, family === 1 ? 32 : 128);
    this.#writer.u16(family);
    this.#writer.u16(bits << 8);
    const octets = (bits + 7) >> 3;
    this.#writer.random(octets, draw);
    // RFC 7871 section 6: bits after the prefix are 0
    if ((bits & 7) !== 0) this.#writer.mask(0xff << (8 - (bits & 7)));
  }

  #oddOption(): void {
    const draw = this.#draw;
    this.#writer.u16(draw.chance(0.8) ? draw.pick(optionCodes) : draw.number(0, 65_535));
    const length = draw.number(0, 45);
    this.#writer.u16(draw.chance(0.9) ? length : draw.number(0, 65_535));
    this.#writer.random(length, draw);
  }

  #record(): void {
    const draw = this.#draw;
    const type = draw.pick(rrTypes);
    if (type === 41 || draw.chance(0.2)) this.#writer.u8(0);
    else if (draw.chance(0.5)) this.#writer.u16(0xc000 | draw.number(0, 30));
    else this.#writer.name(draw.pick(this.#names));
    this.#writer.u16(type);
    this.#writer.u16(draw.pick([1, 1, 1232, 255]));
    this.#writer.u16(0);
    this.#writer.u16(draw.number(0, 300));
    this.#writer.sized(() => this.#writer.random(draw.number(0, 40), draw));
  }
}
