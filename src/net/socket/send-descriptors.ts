/** A datagram to a Unix socket with open descriptors in it (unix(7), SCM_RIGHTS). */
import { Problem } from "../../lib/problem.ts";
import { libc, linux } from "../../lib/system/libc.ts";

/** The most descriptors in a message (SCM_MAX_FD). */
const most = 253;
/** The octets before the descriptors in struct cmsghdr: its length, level and type. */
const controlHeader = 16;

/**
 * Sends a text to a socket; the receiver gets descriptors of its own. `path` begins with `@` if the socket has an abstract
 * name. Throws a Problem if the message cannot be sent.
 */
export function sendDescriptors(path: string, text: string, descriptors: readonly number[] = []): void {
  if (descriptors.length > most) throw new Problem("internal", `${descriptors.length} descriptors are too many`);
  const fd = libc().socket(linux.AF_UNIX, linux.SOCK_DGRAM | linux.SOCK_CLOEXEC, 0);
  if (fd < 0) throw failure(path);
  try {
    const name = composeName(path);
    const data = bufferOf(new TextEncoder().encode(text));
    const control = composeControl(descriptors);
    const vector = wordsOf([libc().addressOf(data), data.byteLength]);
    const controlAt = descriptors.length > 0 ? libc().addressOf(control) : 0;
    // struct mmsghdr; the halves of words for the name's length, the flags and the sent octets are 0
    const message = wordsOf([
      libc().addressOf(name),
      name.byteLength,
      libc().addressOf(vector),
      1,
      controlAt,
      controlAt === 0 ? 0 : control.byteLength,
      0,
      0,
    ]);
    if (libc().sendmmsg(fd, libc().addressOf(message), 1, linux.MSG_NOSIGNAL) < 1) throw failure(path);
  } finally {
    libc().close(fd);
  }
}

/** struct sockaddr_un. The length of an abstract name counts; a path ends with a zero. */
function composeName(path: string): ArrayBuffer {
  const isAbstract = path.startsWith("@");
  const octets = new TextEncoder().encode(isAbstract ? `\0${path.slice(1)}` : `${path}\0`);
  const name = new ArrayBuffer(2 + octets.length);
  new DataView(name).setUint16(0, linux.AF_UNIX, true);
  new Uint8Array(name, 2).set(octets);
  return name;
}

/** struct cmsghdr with its descriptors, in whole words. */
function composeControl(descriptors: readonly number[]): ArrayBuffer {
  const octets = controlHeader + descriptors.length * 4;
  const control = new ArrayBuffer(Math.ceil(octets / 8) * 8);
  const view = new DataView(control);
  view.setBigUint64(0, BigInt(octets), true);
  view.setInt32(8, linux.SOL_SOCKET, true);
  view.setInt32(12, linux.SCM_RIGHTS, true);
  for (const [at, fd] of descriptors.entries()) view.setInt32(controlHeader + at * 4, fd, true);
  return control;
}

const wordsOf = (words: readonly number[]): ArrayBuffer => BigUint64Array.from(words, BigInt).buffer;

function bufferOf(octets: Uint8Array): ArrayBuffer {
  const buffer = new ArrayBuffer(octets.length);
  new Uint8Array(buffer).set(octets);
  return buffer;
}

const failure = (path: string) =>
  new Problem("internal", `no message can be sent to ${path}: ${libc().nameOf(libc().errno())}`);
