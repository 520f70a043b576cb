/** The whole service, filled over its API. Its edge, with one worker, is measured. */
import { type Service, type ServiceOptions, service } from "../../test/service/kit.ts";
import { rolesOf } from "../../test/service/roles.ts";
import { apiClient } from "./client.ts";
import type { Contender } from "./contender.ts";
import { pin } from "./cores.ts";
import { answers } from "./peer.ts";
import { answerOf, type BenchZone } from "./zone.ts";

/** A rate that no bench reaches. */
const unlimited = ["--rate-limit", "100000000/1"];

export async function unlimitedService({ flags = [], ...options }: ServiceOptions = {}): Promise<Service> {
  return await service({ ...options, flags: [...unlimited, ...flags] });
}

const recordsAtOnce = 1000;

export async function fill(running: Service, { apex, records }: BenchZone): Promise<void> {
  await running.zone(apex, { ttl: 3600 });
  const { call, close } = await apiClient(running);
  const put: object[] = [];
  const send = () => call({ method: "POST", path: `zones/${apex}/records`, body: { put: put.splice(0) } });
  let last = `${apex} SOA`;
  for (const { domain, type, answers } of records()) {
    last = `${domain} ${type}`;
    if (put.push({ domain, type, ttl: 300, answers: answers.map(answerOf) }) === recordsAtOnce) await send();
  }
  if (put.length > 0) await send();
  close();
  while (!(await answers(running.port, last)));
}

/** The service as a contender, which closes the service when it ends; its edge is on the server's core or on all cores. */
export async function contenderOf(running: Service, isPinned = true): Promise<Contender> {
  const { edge } = rolesOf(running);
  if (isPinned) await pin(edge);
  return {
    name: "Fairlead",
    port: running.port,
    pids: () => edge,
    [Symbol.asyncDispose]: () => running[Symbol.asyncDispose](),
  };
}
