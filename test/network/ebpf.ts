/** A small interpreter of eBPF (RFC 9669): the instructions of one program, on a machine without the kernel's rights. */

/** Where the frame and the context are, in the program's view. */
const frameAt = 0x1000;
const contextAt = 0x10;

/** Runs a program with a frame. A call returns its third argument, as bpf_redirect_map does with an empty map. */
export function interpret(program: Uint8Array, frame: readonly number[], queue = 0): number {
  const code = new DataView(program.buffer, program.byteOffset, program.length);
  const context = new Map([
    [0, frameAt],
    [4, frameAt + frame.length],
    [16, queue],
  ]);
  const registers = new Array<number>(11).fill(Number.NaN);
  registers[1] = contextAt;
  const load = (address: number, octets: number): number => {
    if (address < frameAt) return context.get(address - contextAt) ?? Number.NaN;
    const from = address - frameAt;
    if (from + octets > frame.length) throw new Error(`octet ${from} is read of a frame of ${frame.length}`);
    return frame.slice(from, from + octets).reduceRight((value, octet) => value * 256 + octet, 0);
  };
  for (let at = 0, steps = 0; steps < 100_000; at++, steps++) {
    const opcode = code.getUint8(at * 8);
    const [to, from] = [code.getUint8(at * 8 + 1) & 15, code.getUint8(at * 8 + 1) >> 4];
    const [offset, value] = [code.getInt16(at * 8 + 2, true), code.getInt32(at * 8 + 4, true)];
    const address = registers[from]! + offset;
    const jumps: Readonly<Record<number, () => boolean>> = {
      5: () => true,
      22: () => registers[to]! >>> 0 === value >>> 0,
      86: () => registers[to]! >>> 0 !== value >>> 0,
      45: () => registers[to]! > registers[from]!,
      173: () => registers[to]! < registers[from]!,
    };
    if (opcode === 0x95) return registers[0]!;
    if (jumps[opcode]) at += jumps[opcode]() ? offset : 0;
    else if (opcode === 0x85) registers[0] = registers[3]!;
    else if (opcode === 0xbf) registers[to] = registers[from]!;
    else if (opcode === 0xb7) registers[to] = value;
    else if (opcode === 0x07) registers[to]! += value;
    else if (opcode === 0x57) registers[to]! &= value;
    else if (opcode === 0x61) registers[to] = load(address, 4);
    else if (opcode === 0x69) registers[to] = load(address, 2);
    else if (opcode === 0x71) registers[to] = load(address, 1);
    else if (opcode === 0x18) at++;
    else throw new Error(`unknown instruction ${opcode}`);
  }
  throw new Error("the program does not end");
}
