/** The durations of requests by method, route and status, for Prometheus. */
import { Histogram, type Registry } from "prom-client";

export interface Timing {
  readonly method: string;
  /** The declared path, so that the number of series is bounded. */
  readonly route: string;
  readonly status: number;
  readonly seconds: number;
}

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
