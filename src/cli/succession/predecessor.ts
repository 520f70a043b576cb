/** The service that started this process to take over from it, seen from here. */
import type { Server } from "node:net";
import type { Start } from "../supervisor/link.ts";
import type { ToPredecessor, ToSuccessor } from "./messages.ts";

export interface Predecessor {
  /** The revisions that its edge has applied. */
  readonly position: Start["takesOver"];
  /** Locks the data directory for as long as it is open. */
  readonly lock: Server;
  /** Says that this process answers; resolves once this process is the service. */
  ready(): Promise<void>;
  /** Says that this process takes requests. */
  leads(): void;
  /** Says why this process cannot take over. */
  failed(error: unknown): Promise<void>;
}

/** Waits for the predecessor's first message. This process ends with the predecessor until it is the service itself. */
export async function meetPredecessor(): Promise<Predecessor> {
  const led = Promise.withResolvers<void>();
  const inherited = Promise.withResolvers<Pick<Predecessor, "position" | "lock">>();
  const endAlone = () => process.exit(1);
  process.on("disconnect", endAlone);
  process.on("message", (message: ToSuccessor, lock: Server | undefined) => {
    if (message.kind === "lead") led.resolve();
    if (message.kind !== "inherit" || !lock) return;
    lock.on("connection", (socket) => socket.destroy());
    lock.unref();
    inherited.resolve({ position: message.position, lock });
  });
  const given = await inherited.promise;
  const send = (message: ToPredecessor) =>
    new Promise<void>((resolve) => {
      if (process.send) process.send(message, undefined, {}, () => resolve());
      else resolve();
    });
  return {
    ...given,
    async ready() {
      await send({ kind: "ready" });
      await led.promise;
      process.off("disconnect", endAlone);
    },
    leads: () => void send({ kind: "leads" }),
    failed: (error) => send({ kind: "failed", message: error instanceof Error ? error.message : String(error) }),
  };
}
