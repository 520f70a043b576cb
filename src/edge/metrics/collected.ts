/** Prometheus metrics whose values are read at each scrape. */
import { Counter, Gauge, type Registry } from "prom-client";

type Labels = Readonly<Record<string, string | number>>;
/** The value, or a value for each combination of labels. */
type Values = number | readonly (readonly [Labels, number])[];
type Register = (name: string, help: string, values: () => Values, ...labelNames: readonly string[]) => void;

export interface Metrics {
  readonly counter: Register;
  readonly gauge: Register;
}

export const metricsIn = (registry: Registry): Metrics => ({
  counter(name, help, values, ...labelNames) {
    const collect = () => {
      counter.reset();
      for (const [labels, value] of labelled(values())) counter.inc(labels, value);
    };
    const counter = new Counter({ name, help, labelNames, registers: [registry], collect });
  },
  gauge(name, help, values, ...labelNames) {
    const collect = () => {
      gauge.reset();
      for (const [labels, value] of labelled(values())) gauge.set(labels, value);
    };
    const gauge = new Gauge({ name, help, labelNames, registers: [registry], collect });
  },
});

const labelled = (values: Values) => (typeof values === "number" ? [[{}, values] as const] : values);
