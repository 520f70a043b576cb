/** The socket to which services send notifications (sd_notify(3)): texts, their senders, and descriptors in them. */
import { libc, linux } from "../../src/lib/system/libc.ts";

/** A datagram: its text, the sender's process, and descriptors that are open here now. */
export interface Notification {
  readonly text: string;
  readonly pid: number;
  readonly descriptors: readonly number[];
}

/** Constants of Linux that the service itself does not need. */
const [SO_PASSCRED, SCM_CREDENTIALS] = [16, 2];
const room = 4096;
/** Milliseconds between two looks. */
const every = 2;

export class NotifySocket {
  /** An abstract name, as in NOTIFY_SOCKET. */
  readonly name = `@fairlead-test-${process.pid}-${Math.random().toString(36).slice(2)}`;
  readonly #fd: number;
  readonly #looking: NodeJS.Timeout;

  constructor(take: (notification: Notification) => void) {
    this.#fd = libc().socket(linux.AF_UNIX, linux.SOCK_DGRAM | linux.SOCK_CLOEXEC, 0);
    const on = new Uint8Array(Int32Array.of(1).buffer);
    libc().setsockopt(this.#fd, linux.SOL_SOCKET, SO_PASSCRED, on, on.length);
    const address = Buffer.concat([
      Buffer.from(Uint16Array.of(linux.AF_UNIX).buffer),
      Buffer.from(`\0${this.name.slice(1)}`),
    ]);
    if (libc().bind(this.#fd, address, address.length) < 0) throw new Error(libc().nameOf(libc().errno()));
    this.#looking = setInterval(() => {
      for (let one = this.#receive(); one; one = this.#receive()) take(one);
    }, every);
  }

  close(): void {
    clearInterval(this.#looking);
    libc().close(this.#fd);
  }

  #receive(): Notification | undefined {
    const [data, control] = [new ArrayBuffer(room), new ArrayBuffer(room)];
    const vector = BigUint64Array.of(BigInt(libc().addressOf(data)), BigInt(room)).buffer;
    const header = BigUint64Array.of(
      ...[0n, 0n, BigInt(libc().addressOf(vector)), 1n, BigInt(libc().addressOf(control)), BigInt(room), 0n, 0n],
    ).buffer;
    if (libc().recvmmsg(this.#fd, libc().addressOf(header), 1, linux.MSG_DONTWAIT, 0) < 1) return undefined;
    const view = new DataView(header);
    const length = view.getUint32(56, true);
    return {
      text: Buffer.from(data, 0, length).toString(),
      ...readControl(control, Number(view.getBigUint64(40, true))),
    };
  }
}

/** Each element begins with its length in 8 octets, then level and type in 4 each (struct cmsghdr). */
function readControl(control: ArrayBuffer, length: number): { pid: number; descriptors: number[] } {
  const view = new DataView(control);
  const found = { pid: 0, descriptors: [] as number[] };
  for (let at = 0; at + 16 <= length; ) {
    const end = at + Number(view.getBigUint64(at, true));
    const type = view.getInt32(at + 12, true);
    if (type === SCM_CREDENTIALS) found.pid = view.getInt32(at + 16, true);
    for (let fd = at + 16; type === linux.SCM_RIGHTS && fd + 4 <= end; fd += 4) {
      found.descriptors.push(view.getInt32(fd, true));
    }
    at = Math.ceil(end / 8) * 8;
  }
  return found;
}
