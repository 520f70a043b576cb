/** System calls that Node does not offer, through koffi, for Linux with glibc on x64 and arm64. */
import { createRequire } from "node:module";
import { Problem } from "../problem.ts";

/** Constants of Linux, the same on x64 and arm64. */
export const linux = {
  AF_UNIX: 1,
  AF_INET: 2,
  AF_INET6: 10,
  AF_XDP: 44,
  SOCK_STREAM: 1,
  SOCK_DGRAM: 2,
  SOCK_RAW: 3,
  SOCK_CLOEXEC: 0o2000000,
  SOL_SOCKET: 1,
  SO_REUSEADDR: 2,
  SO_TYPE: 3,
  SO_SNDBUF: 7,
  SO_RCVBUF: 8,
  SO_REUSEPORT: 15,
  SO_RCVTIMEO: 20,
  SO_ACCEPTCONN: 30,
  SCM_RIGHTS: 1,
  IPPROTO_IP: 0,
  IP_PKTINFO: 8,
  IP_MTU_DISCOVER: 10,
  IP_PMTUDISC_OMIT: 5,
  IPPROTO_IPV6: 41,
  IPV6_MTU_DISCOVER: 23,
  IPV6_V6ONLY: 26,
  IPV6_RECVPKTINFO: 49,
  IPV6_PKTINFO: 50,
  MSG_TRUNC: 0x20,
  MSG_DONTWAIT: 0x40,
  MSG_NOSIGNAL: 0x4000,
  MSG_WAITFORONE: 0x10000,
  F_GETFL: 3,
  F_SETFL: 4,
  O_NONBLOCK: 0o4000,
  POLLIN: 1,
  EFD_CLOEXEC: 0o2000000,
  PROT_READ: 1,
  PROT_WRITE: 2,
  MAP_SHARED: 1,
  MAP_POPULATE: 0x8000,
  SIOCGIFMTU: 0x8921,
  SIOCGIFHWADDR: 0x8927,
  SIOCETHTOOL: 0x8946,
  MADV_DONTNEED: 4,
  MADV_HUGEPAGE: 14,
  MFD_CLOEXEC: 1,
  RLIMIT_MEMLOCK: 8,
  RLIMIT_NICE: 13,
  PR_SET_KEEPCAPS: 8,
  PR_SET_NO_NEW_PRIVS: 38,
  PR_CAP_AMBIENT: 47,
  PR_CAP_AMBIENT_LOWER: 3,
  /** `_LINUX_CAPABILITY_VERSION_3` of capget(2). */
  CAPABILITY_VERSION: 0x20080522,
  CAP_DAC_READ_SEARCH: 2,
  CAP_NET_BIND_SERVICE: 10,
  CAP_NET_ADMIN: 12,
  CAP_NET_RAW: 13,
  CAP_BPF: 39,
} as const;

/** Calls made for each batch take memory as an address (`addressOf`); calls made once for a socket take octets. */
export interface Libc {
  socket(family: number, type: number, protocol: number): number;
  setsockopt(fd: number, level: number, name: number, value: Uint8Array, length: number): number;
  getsockopt(fd: number, level: number, name: number, value: Uint8Array, length: Uint32Array): number;
  bind(fd: number, address: Uint8Array, length: number): number;
  listen(fd: number, backlog: number): number;
  getsockname(fd: number, address: Uint8Array, length: Uint32Array): number;
  fcntl(fd: number, command: number, argument: number): number;
  dup(fd: number): number;
  close(fd: number): number;
  recvmmsg(fd: number, messages: number, count: number, flags: number, timeout: number): number;
  sendmmsg(fd: number, messages: number, count: number, flags: number): number;
  sendto(fd: number, data: number, length: number, flags: number, address: number, addressLength: number): number;
  poll(descriptors: number, count: number, timeout: number): number;
  eventfd(initial: number, flags: number): number;
  /** Returns the address of the memory; -1 if it fails. */
  mmap(address: number, length: number, protection: number, flags: number, fd: number, offset: number): number;
  munmap(address: number, length: number): number;
  madvise(address: number, length: number, advice: number): number;
  ioctl(fd: number, request: number, argument: Uint8Array): number;
  /** Returns the number of an interface; 0 if there is none with this name. */
  if_nametoindex(name: string): number;
  /** Returns freed memory to the system, except `keep` octets. */
  malloc_trim(keep: number): number;
  /** The octets of a page. */
  getpagesize(): number;
  /** For calls with a thread or process, memory and flags, such as `sched_setattr`, which older libraries lack. */
  syscall(number: number, id: number, memory: Uint8Array, flags: number): number;
  memfd_create(name: string, flags: number): number;
  setrlimit(resource: number, limits: BigUint64Array): number;
  prctl(option: number, value: number, third: number, fourth: number, fifth: number): number;
  /** Sets the capabilities of this thread alone. */
  capset(header: Uint32Array, data: Uint32Array): number;
  /** The error of the last call of this thread. */
  errno(): number;
  /** Returns an address that is valid while the buffer is referenced; only for buffers whose octets never move. */
  addressOf(memory: ArrayBuffer | SharedArrayBuffer): number;
  /** Returns memory from `mmap`, which must not be touched after `munmap`. */
  memoryAt(address: number, octets: number): ArrayBuffer;
  /** Returns a name such as `EADDRINUSE`. */
  nameOf(errno: number): string;
}

/** Whether the calls are available here; otherwise Node's own sockets are used. */
export function hasLibc(): boolean {
  try {
    libc();
    return true;
  } catch {
    return false;
  }
}

let loaded: Libc | undefined;

/** Loaded at first use, so that a process without DNS sockets does not pay for it. */
export function libc(): Libc {
  loaded ??= load();
  return loaded;
}

function load(): Libc {
  if (process.platform !== "linux" || !["x64", "arm64"].includes(process.arch)) {
    throw new Problem("internal", `batched sockets are built for Linux on x64 and arm64, not ${process.platform}`);
  }
  const koffi: typeof import("koffi") = createRequire(import.meta.url)("koffi");
  const library = koffi.load("libc.so.6");
  const names = new Map(Object.entries(koffi.os.errno).map(([name, value]) => [value, name]));
  return {
    socket: library.func("int socket(int, int, int)"),
    setsockopt: library.func("int setsockopt(int, int, int, const void *, uint32_t)"),
    getsockopt: library.func("int getsockopt(int, int, int, void *, uint32_t *)"),
    bind: library.func("int bind(int, const void *, uint32_t)"),
    listen: library.func("int listen(int, int)"),
    getsockname: library.func("int getsockname(int, void *, uint32_t *)"),
    fcntl: library.func("fcntl", "int", ["int", "int", "long"]),
    dup: library.func("int dup(int)"),
    close: library.func("int close(int)"),
    recvmmsg: library.func("int recvmmsg(int, uintptr_t, uint, int, uintptr_t)"),
    sendmmsg: library.func("int sendmmsg(int, uintptr_t, uint, int)"),
    sendto: library.func("intptr_t sendto(int, uintptr_t, size_t, int, uintptr_t, uint32_t)"),
    poll: library.func("int poll(uintptr_t, ulong, int)"),
    eventfd: library.func("int eventfd(uint, int)"),
    malloc_trim: library.func("int malloc_trim(size_t)"),
    mmap: library.func("intptr_t mmap(uintptr_t, size_t, int, int, int, long)"),
    munmap: library.func("int munmap(uintptr_t, size_t)"),
    ioctl: library.func("int ioctl(int, ulong, void *)"),
    if_nametoindex: library.func("uint if_nametoindex(const char *)"),
    madvise: library.func("int madvise(uintptr_t, size_t, int)"),
    getpagesize: library.func("int getpagesize()"),
    syscall: library.func("long syscall(long, long, const void *, uint)"),
    memfd_create: library.func("int memfd_create(const char *, uint)"),
    setrlimit: library.func("int setrlimit(int, const void *)"),
    prctl: library.func("int prctl(int, ulong, ulong, ulong, ulong)"),
    capset: library.func("int capset(const void *, const void *)"),
    errno: () => koffi.errno(),
    // takes a view, because Node 20 does not give the address of shared memory itself
    addressOf: (memory) => Number(koffi.address(new Uint8Array(memory))),
    memoryAt: (address, octets) => koffi.view(address, octets),
    nameOf: (errno) => names.get(errno) ?? `errno ${errno}`,
  };
}
