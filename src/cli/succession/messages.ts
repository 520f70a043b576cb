/** The messages between a service and the one that takes over from it, over an IPC channel. */
import type { Start } from "../supervisor/link.ts";

export type ToSuccessor =
  /** Comes with the server that locks the data directory. */
  | { readonly kind: "inherit"; readonly position: Start["takesOver"] }
  /** The successor is the service now. */
  | { readonly kind: "lead" };

export type ToPredecessor =
  /** The successor answers. */
  | { readonly kind: "ready" }
  | { readonly kind: "failed"; readonly message: string }
  /** The successor takes requests and notifies systemd. */
  | { readonly kind: "leads" };
