/** One round of digests of all zones: whether an edge can answer them, and whether every edge answers them as they are. */
import { setTimeout as delay } from "node:timers/promises";
import { digestNext, type LeftOut } from "../../../../control/zones/digests/step.ts";
import { problemOf } from "../../../../storage/connection/failure.ts";
import { type Compared, DigestConnection, firstPlace, type ZonePlace } from "../../../../sync/postgres/digests.ts";
import { Findings } from "./findings.ts";

/** Milliseconds in which an edge has to say that it compares, and to compare everything. */
const answersWithin = 10_000;
const comparesWithin = 60_000;
/** Milliseconds in which an edge registers that is not registered: it took over from another one. */
const registersWithin = 3000;
const askEvery = 100;
/** An edge that lacks a revision compares again when it is asked again. */
const announceEvery = 500;

export interface Round {
  readonly zones: number;
  readonly records: number;
  /** Zones that edges did not compare, since they were being changed. */
  readonly unnumbered: number;
  /** Edges that have compared everything. */
  readonly edges: number;
  readonly findings: readonly Findings[];
}

/** `withEdges`: whether edges can follow the store now. */
export async function checkZones(url: string, withEdges: boolean): Promise<Round> {
  const [records, edges] = [new Findings("records"), new Findings("edges")];
  const connection = await DigestConnection.open(url, false);
  try {
    const began = withEdges ? await connection.writeEmpty() : 0;
    const following = withEdges ? await answered(connection, began, answersWithin) : [];
    const counts = { zones: 0, records: 0, unnumbered: 0 };
    let end = began;
    let place: ZonePlace = firstPlace;
    do {
      const step = await digestNext(connection, place, (left) => leaveOut(left, records));
      counts.zones += step.zones;
      counts.records += step.records;
      counts.unnumbered += step.unnumbered;
      end = step.number;
      place = step.last;
    } while (place !== firstPlace);
    if (withEdges && following.length === 0) {
      edges.warning("no edge follows the store", "start fairlead serve or fairlead edge, and check again");
    }
    const compared = following.length === 0 ? 0 : await edgesAt(connection, { began, end, following }, edges);
    return { ...counts, edges: compared, findings: [records, edges] };
  } catch (error) {
    throw problemOf(error);
  } finally {
    connection.close();
  }
}

function leaveOut({ zone, record, reason }: LeftOut, findings: Findings): void {
  const what = record ? `the record ${record.domain} ${record.type}` : "the whole zone";
  findings.failed(
    `the zone ${zone.zone}: no edge can answer ${what}: ${reason}`,
    record ? "write or delete the record through the API" : "correct the zone's fields through the API",
  );
}

interface Asked {
  /** The numbers of the batches before the round, and at its end. */
  readonly began: number;
  readonly end: number;
  /** The edges that were there before the round. */
  readonly following: readonly Compared[];
}

/** Returns how many edges have compared all zones. */
async function edgesAt(connection: DigestConnection, { began, end, following }: Asked, findings: Findings) {
  const silent = new Set(following.filter((edge) => reached(edge) < began).map(({ id }) => id));
  for (const id of silent) {
    const text = `the edge ${id} did not say within ${answersWithin / 1000} s that it compares its zones`;
    findings.warning(text, "start it, or see in its log why it does not reach the store; then check again");
  }
  const ids = following.map(({ id }) => id).filter((id) => !silent.has(id));
  const edges = await answered(connection, end, comparesWithin, ids);
  let whole = 0;
  for (const { id, comparison } of edges) {
    const { since = 0, compared = 0, differing = [] } = comparison ?? {};
    if (differing.length > 0) {
      findings.failed(
        `the edge ${id} answers zones otherwise than the store has them: ${differing.join(", ")}`,
        "it reads everything again by itself: check again in a minute. If a zone differs again, restart the edge",
      );
    } else if (compared < end) {
      const text = `the edge ${id} did not compare all zones within ${comparesWithin / 1000} s`;
      findings.warning(text, "see in its log whether it is behind or cannot reach the store; then check again");
    } else if (since > began) {
      findings.warning(`the edge ${id} read everything again meanwhile, and did not compare all zones`, "check again");
    } else whole++;
  }
  return whole;
}

const reached = ({ comparison }: Compared) => comparison?.compared ?? -1;

/** Asks edges until these, by default all, have compared the batch with this number, or time is over. Returns their reports. */
async function answered(
  connection: DigestConnection,
  number: number,
  within: number,
  ids?: readonly string[],
): Promise<readonly Compared[]> {
  const began = performance.now();
  let announceAt = 0;
  for (;;) {
    if (performance.now() >= announceAt) {
      await connection.announce();
      announceAt = performance.now() + announceEvery;
    }
    const edges = (await connection.compared()).filter(({ id }) => ids?.includes(id) ?? true);
    const isDone = edges.every((edge) => reached(edge) >= number);
    if (isDone || performance.now() > began + within) {
      if (edges.length > 0 || performance.now() > began + registersWithin) return edges;
    }
    await delay(askEvery);
  }
}
