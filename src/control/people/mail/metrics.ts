/** Prometheus metrics of sending mails. */
import { Counter, Gauge, type Registry } from "prom-client";

/** `count` returns the number of mails that wait in the store; while it fails, the last number stays. */
export function mailMetrics(registry: Registry, count: () => Promise<number>) {
  const registers = [registry];
  new Gauge({
    name: "fairlead_mails_waiting",
    help: "Mails in the store that wait to be sent, over all control processes",
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
  const sent = counter("sent", "Mails accepted by the mail server or written to the outbox");
  const refused = counter("refused", "Failed attempts to send a mail that will be repeated");
  const givenUp = counter("given_up", "Mails that could not be sent and were given up");
  return { sent: () => sent.inc(), refused: () => refused.inc(), givenUp: () => givenUp.inc() };
}

export type MailMetrics = ReturnType<typeof mailMetrics>;
