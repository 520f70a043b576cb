/** Whether the parent of a zone delegates it as the edge here answers: the same name servers, with the same glue. */
import { Resolver } from "node:dns/promises";
import type { Config } from "../../../config/config.ts";
import { printEndpoint, reachable } from "../../../config/values.ts";
import type { Reply } from "../../../dns/reply.ts";
import { TypeCode } from "../../../dns/wire/constants.ts";
import { Flag } from "../../../dns/wire/message.ts";
import { nameFromApi, nameToApi } from "../../../dns/wire/name.ts";
import type { Endpoint } from "../../../lib/address/egress.ts";
import {
  addressesIn,
  addressesOf,
  ask,
  delegationOf,
  type Servers,
  serversIn,
} from "../../../net/client/delegation.ts";
import { type Finding, findingsOf, reasonOf } from "../../terminal/finding.ts";

const { ok, warning, failed } = findingsOf("delegation");

/** Milliseconds for an answer of the resolver, and tries. */
const patience = { timeout: 2000, tries: 2 };

export async function checkDelegation(
  config: Pick<Config, "dns" | "resolver">,
  given: string,
  parentPort = 53,
): Promise<Finding[]> {
  const zone = nameToApi(nameFromApi(given));
  const ours = await ourServers(reachable(config.dns[0]!), zone);
  if (!(ours instanceof Map)) return [ours as Finding];
  const resolver = new Resolver(patience);
  if (Array.isArray(config.resolver) && config.resolver.length > 0) resolver.setServers(config.resolver);
  let theirs: Servers | undefined;
  try {
    theirs = (await delegationOf(resolver, zone, { port: parentPort })).servers;
  } catch (error) {
    const where = resolver.getServers().join(", ");
    const advice = "try again where the public DNS can be asked, or name a resolver that can with --resolver";
    return [warning(`the delegation is not known: the resolver ${where} does not answer (${reasonOf(error)})`, advice)];
  }
  const names = [...ours.keys()];
  if (theirs.size === 0) {
    return [failed(`${zone} is not delegated`, `let its parent or registrar delegate it to ${names.join(", ")}`)];
  }
  return [...compareNames(zone, names, [...theirs.keys()]), ...(await compareGlue(resolver, zone, ours, theirs))];
}

function compareNames(zone: string, ours: readonly string[], theirs: readonly string[]): Finding[] {
  const lacking = ours.filter((name) => !theirs.includes(name));
  const foreign = theirs.filter((name) => !ours.includes(name));
  const advice = `make both the same: the NS record of ${zone} here, or the delegation at its parent or registrar`;
  const findings: Finding[] = [];
  if (foreign.length > 0)
    findings.push(failed(`${zone} is also delegated to ${foreign.join(", ")}, which its NS record here lacks`, advice));
  if (lacking.length > 0)
    findings.push(failed(`${zone} is not delegated to ${lacking.join(", ")}, which its NS record here has`, advice));
  return findings.length > 0 ? findings : [ok(`${zone} is delegated to ${theirs.join(", ")}, as its NS record says`)];
}

/** Servers inside the zone need glue with our addresses; others need an address at all. */
async function compareGlue(resolver: Resolver, zone: string, ours: Servers, theirs: Servers): Promise<Finding[]> {
  const findings: Finding[] = [];
  for (const [name, glue] of theirs) {
    if (name !== zone && !name.endsWith(`.${zone}`)) {
      if ((await addressesOf(resolver, name)).length > 0) continue;
      findings.push(failed(`the name server ${name} has no address`, `give ${name} an A or AAAA record in its zone`));
      continue;
    }
    const right = ours.get(name) ?? [];
    const advice = `let the parent's glue and the A and AAAA records of ${name} here have the same addresses`;
    if (glue.length === 0) findings.push(failed(`the parent has no glue for ${name}`, advice));
    else if (glue.join() !== right.join()) {
      const text = `the parent's glue for ${name} is ${glue.join(", ")}; here it has ${right.join(", ") || "no address"}`;
      findings.push(failed(text, advice));
    } else findings.push(ok(`the parent's glue for ${name} is ${glue.join(", ")}, as here`));
  }
  return findings;
}

/** The name servers in the zone's NS record as the edge answers it; otherwise what is wrong. */
async function ourServers(edge: Endpoint, zone: string): Promise<Servers | Finding> {
  const at = printEndpoint(edge);
  let reply: Reply;
  try {
    reply = await ask(edge, zone, TypeCode.NS);
  } catch (error) {
    return failed(`the edge at ${at} ${reasonOf(error)}`, "start the service, or name its endpoint with --dns");
  }
  const names = serversIn(reply.answer, zone);
  if (names.length === 0 || (reply.flags & Flag.AA) === 0) {
    return failed(`the edge at ${at} does not answer for ${zone}`, `create the zone: PUT /v1/zones/${zone}`);
  }
  const found = new Map<string, readonly string[]>();
  for (const name of names) {
    const types = [TypeCode.A, TypeCode.AAAA];
    const replies = await Promise.all(types.map((type) => ask(edge, name, type)));
    found.set(name, replies.flatMap(({ answer }) => addressesIn(answer, name)).sort());
  }
  return found;
}
