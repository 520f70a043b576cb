/** Whether each endpoint is free, or open by the service here. */
import type { Config } from "../../../config/config.ts";
import { printEndpoint } from "../../../config/values.ts";
import { metricsEndpoint } from "../../host/metrics.ts";
import { dnsPlaces, httpPlaces, type Place, refused } from "../../host/ports.ts";
import { type Finding, findingsOf } from "../../terminal/finding.ts";
import { type Here, holdersOfPort, isOurs } from "./processes.ts";

const { ok, failed } = findingsOf("ports");

type Wanted = Pick<Config, "http" | "metrics" | "dns" | "dot" | "doh">;

export async function checkPorts(config: Wanted, here: Here): Promise<Finding[]> {
  const places = [...httpPlaces({ http: config.http, metrics: metricsEndpoint(config) }), ...dnsPlaces(config)];
  const findings: Finding[] = [];
  for (const place of places) findings.push(await checkPlace(place, here));
  return findings;
}

async function checkPlace({ flag, endpoint, opens }: Place, here: Here): Promise<Finding> {
  const name = `${printEndpoint(endpoint)} (${flag})`;
  for (const [transport, open] of opens) {
    try {
      await open(endpoint);
    } catch (error) {
      const { code } = error as NodeJS.ErrnoException;
      if (code !== "EADDRINUSE") return failed(refused(flag, endpoint, error).message, adviceFor(code));
      const holders = holdersOfPort(endpoint, transport);
      if (holders.some((holder) => isOurs(holder, here))) return ok(`${name} is open by the service here`);
      const [other] = holders;
      const program = other ? `${other.program}, process ${other.pid}` : "a process that this user cannot see";
      const advice = other
        ? `stop that program (systemctl status ${other.pid} names its unit), or choose another address or port with ${flag}`
        : "run the doctor as root, which sees all processes";
      return failed(`${name} is in use by ${program} (${transport.toUpperCase()})`, advice);
    }
  }
  return ok(`${name} is free`);
}

function adviceFor(code: string | undefined): string {
  if (code === "EACCES")
    return (
      "ports below 1024 need root or CAP_NET_BIND_SERVICE: let systemd give it (AmbientCapabilities), and run the " +
      "doctor as root; or choose a port above 1023"
    );
  if (code === "EADDRNOTAVAIL") return "give this machine the address (ip address add), or name another one";
  return "name an address and a port that this machine can open";
}
