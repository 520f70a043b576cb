/** Programs of the kernel, their maps and their links to interfaces, by bpf(2). Needs CAP_BPF and CAP_NET_ADMIN. */
import { Problem } from "../../lib/problem.ts";
import { libc } from "../../lib/system/libc.ts";
import { closeFd } from "../socket/sockets.ts";

const numbers = { x64: 321, arm64: 280 } as const;
const commands = {
  createMap: 0,
  setEntry: 2,
  deleteEntry: 3,
  loadProgram: 5,
  testRun: 10,
  createLink: 28,
  updateLink: 29,
} as const;
/** BPF_MAP_TYPE_XSKMAP, BPF_PROG_TYPE_XDP, and BPF_XDP as a type of attachment. */
const types = { socketMap: 17, program: 6, attachment: 37 } as const;
/** XDP_FLAGS_SKB_MODE and XDP_FLAGS_DRV_MODE. */
const modes = { generic: 2, native: 4 } as const;

/** Native programs run in the driver, generic ones after it has made a packet of the frame. */
export type XdpMode = keyof typeof modes;

const attrOctets = 128;
const license = "Apache-2.0\0";

/** Makes a map from queues to AF_XDP sockets; returns its descriptor. */
export const createSocketMap = (queues: number): number =>
  bpf("createMap", (attr) => setWords(attr, types.socketMap, 4, 4, queues));

/** Loads a program; returns its descriptor. */
export function loadProgram(instructions: Uint8Array): number {
  const [code, text] = [memoryWith(instructions), memoryWith(new TextEncoder().encode(license))];
  const write = (attr: DataView) => {
    setWords(attr, types.program, instructions.length / 8);
    setAddress(attr, 8, code);
    setAddress(attr, 16, text);
    attr.setUint32(68, types.attachment, true);
  };
  return bpf("loadProgram", write, [code, text]);
}

/**
 * Attaches a program to an interface until the returned descriptor is closed, also by the end of this process. Other
 * programs cannot be attached meanwhile.
 */
export const attachProgram = (program: number, interfaceIndex: number, mode: XdpMode): number =>
  bpf("createLink", (attr) => setWords(attr, program, interfaceIndex, types.attachment, modes[mode]));

/** Puts another program in the place of the attached one, without a gap. */
export function replaceProgram(link: number, program: number): void {
  bpf("updateLink", (attr) => setWords(attr, link, program));
}

/** Lets a socket receive the frames of a queue. Needs no capability, but the descriptor of the map. */
export function setSocket(map: number, queue: number, socket: number): void {
  const [key, value] = [memoryWith(u32(queue)), memoryWith(u32(socket))];
  const write = (attr: DataView) => {
    attr.setUint32(0, map, true);
    setAddress(attr, 8, key);
    setAddress(attr, 16, value);
  };
  bpf("setEntry", write, [key, value]);
}

/** Leaves the frames of a queue to the kernel. */
export function removeSocket(map: number, queue: number): void {
  const key = memoryWith(u32(queue));
  const write = (attr: DataView) => {
    attr.setUint32(0, map, true);
    setAddress(attr, 8, key);
  };
  try {
    bpf("deleteEntry", write, [key]);
  } catch (error) {
    // the socket was closed, and its entry went with it
    if (!(error instanceof BpfError && error.errno === "ENOENT")) throw error;
  }
}

/** Runs a program with a frame, without an interface; returns its verdict. */
export function runProgram(program: number, frame: Uint8Array): number {
  const data = memoryWith(frame);
  let verdict = 0;
  const write = (attr: DataView) => {
    attr.setUint32(0, program, true);
    attr.setUint32(8, frame.length, true);
    setAddress(attr, 16, data);
  };
  bpf("testRun", write, [data], (attr) => {
    verdict = attr.getUint32(4, true);
  });
  return verdict;
}

/** A refusal of the kernel, with the name of its reason. */
export class BpfError extends Problem {
  readonly errno: string;

  constructor(command: string, errno: string) {
    super("internal", `bpf ${command}: ${errno}`, { errno });
    this.errno = errno;
  }
}

/** Whether programs can be loaded here: a map is made and closed. Returns the reason if not. */
export function obstacleOfBpf(): string | undefined {
  try {
    closeFd(createSocketMap(1));
    return undefined;
  } catch (error) {
    return error instanceof BpfError ? error.errno : String(error);
  }
}

const u32 = (value: number) => new Uint8Array(Uint32Array.of(value).buffer);

function memoryWith(octets: Uint8Array): ArrayBuffer {
  const memory = new ArrayBuffer(octets.length);
  new Uint8Array(memory).set(octets);
  return memory;
}

function setWords(attr: DataView, ...values: readonly number[]): void {
  for (const [n, value] of values.entries()) attr.setUint32(n * 4, value, true);
}

const setAddress = (attr: DataView, at: number, memory: ArrayBuffer) =>
  attr.setBigUint64(at, BigInt(libc().addressOf(memory)), true);

/** Calls bpf(2). `used` is memory whose addresses are in the attributes, so that it lasts as long as the call. */
function bpf(
  command: keyof typeof commands,
  write: (attr: DataView) => void,
  used: readonly ArrayBuffer[] = [],
  read: (attr: DataView) => void = () => {},
): number {
  const number = numbers[process.arch as keyof typeof numbers];
  const attr = new DataView(new ArrayBuffer(attrOctets));
  write(attr);
  const result = libc().syscall(number, commands[command], new Uint8Array(attr.buffer), attrOctets);
  const errno = result < 0 ? libc().nameOf(libc().errno()) : "";
  if (result < 0 || used.some(({ byteLength }) => byteLength === 0)) throw new BpfError(command, errno);
  read(attr);
  return result;
}
