/** Metrics of requests and their bodies, for Prometheus. */
import { Counter, Gauge, Histogram, type Registry } from "prom-client";
import type { Connections } from "./connections.ts";

export interface Timing {
  readonly method: string;
  /** The declared path, so that the number of series is bounded. */
  readonly route: string;
  readonly status: number;
  readonly seconds: number;
}

/** Connections that are open, were closed to make room for others, and were refused. */
export function connectionCounts(registry: Registry, connections: Connections): void {
  const registers = [registry];
  new Gauge({
    name: "fairlead_http_connections",
    help: "Open connections to the API",
    registers,
    collect() {
      this.set(connections.size);
    },
  });
  const counts = [
    ["fairlead_http_connections_evicted_total", "Connections that were closed to make room", () => connections.evicted],
    [
      "fairlead_http_connections_refused_total",
      "Connections and requests that were refused",
      () => connections.refused,
    ],
  ] as const;
  for (const [name, help, count] of counts) {
    new Counter({
      name,
      help,
      registers,
      collect() {
        this.reset();
        this.inc(count());
      },
    });
  }
}

/** The octets that bodies hold. `held` returns them by the size of the bodies. */
export function bodyOctets(registry: Registry, held: () => Readonly<Record<"small" | "large", number>>): void {
  new Gauge({
    name: "fairlead_http_body_octets",
    help: "Octets that bodies of requests hold, up to 16 KiB each and above",
    labelNames: ["size"] as const,
    registers: [registry],
    collect() {
      for (const [size, octets] of Object.entries(held())) this.set({ size }, octets);
    },
  });
}

/** The durations of requests by method, route and status. */
export function requestTimings(registry: Registry): (timing: Timing) => void {
  const histogram = new Histogram({
    name: "fairlead_http_request_duration_seconds",
    help: "Time from a request's headers to its answer",
    labelNames: ["method", "route", "status"] as const,
    buckets: [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5],
    registers: [registry],
  });
  const series = new Map<string, ReturnType<typeof histogram.labels>>();
  return ({ method, route, status, seconds }) => {
    const key = `${method} ${route} ${status}`;
    const known = series.get(key) ?? histogram.labels(method, route, String(status));
    series.set(key, known);
    known.observe(seconds);
  };
}
