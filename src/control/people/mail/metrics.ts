/** What becomes of mails, for Prometheus. */
import { Counter, Gauge, type Registry } from "prom-client";

export interface MailMetrics {
  sent(): void;
  /** By whoever takes mails away; it is tried again. */
  refused(): void;
  givenUp(): void;
}

/** `count` tells how many wait in the store; while it cannot, the last number stays. */
export function mailMetrics(registry: Registry, count: () => Promise<number>): MailMetrics {
  const registers = [registry];
  new Gauge({
    name: "fairlead_mails_waiting",
    help: "Mails in the store that are still to be sent, by whichever control",
    registers,
    async collect() {
      await count().then(
        (waiting) => this.set(waiting),
        () => {},
      );
    },
  });
  const counter = (name: string, help: string) =>
    new Counter({ name: `fairlead_mails_${name}_total`, help, registers });
  const sent = counter("sent", "Mails that were taken by the mail server, or written to the outbox");
  const refused = counter("refused", "Tries of mails that failed, and are repeated");
  const givenUp = counter("given_up", "Mails that were not sent and never will be");
  return { sent: () => sent.inc(), refused: () => refused.inc(), givenUp: () => givenUp.inc() };
}
