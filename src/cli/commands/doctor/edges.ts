/** Which edges follow the store, how far behind they are, and whether their zones differ from it. */
import { type Finding, findingsOf } from "../../terminal/finding.ts";
import type { ConnectedStore } from "./store.ts";

const { ok, warning, failed } = findingsOf("edges");

/** Seconds. Edges report at least twice a minute. */
const awayAfter = 60;
/** Seconds that are more than enough for a change to get its number. */
const soon = 5;

/** Nothing if the store cannot be asked: its own check says why. */
export async function checkEdges(connecting: Promise<ConnectedStore | undefined>): Promise<Finding[]> {
  const store = await connecting.catch(() => undefined);
  if (!store || !(await store.facts()).has_schema) return [];
  const edges = await store.edges();
  const { count, waited } = await store.unnumbered();
  const findings = edges.map(({ id, behind, age, differing }): Finding => {
    if (differing.length > 0) {
      const text = `the edge ${id} answered zones otherwise than the store has them: ${differing.join(", ")}`;
      return failed(
        text,
        "it reads everything again by itself: see with fairlead store check whether they still differ",
      );
    }
    if (age > awayAfter) {
      const text = `the edge ${id} has not reported for ${age} s, and lacks ${behind} revisions`;
      return warning(text, "start it, or see in its log why it cannot reach the store; it is forgotten after a day");
    }
    const text = `the edge ${id} is ${behind === 0 ? "up to date" : `${behind} revisions behind`}`;
    const advice = "see /readyz of its --metrics, and its log, if this does not change within seconds";
    return behind === 0 ? ok(text) : warning(text, advice);
  });
  if (edges.length === 0) findings.push(warning("no edge follows the store", "start fairlead serve or fairlead edge"));
  if (waited > soon) {
    const text = `${count} changes have no number yet, the oldest for ${waited} s: no edge can answer them`;
    findings.push(failed(text, "start a control, or read the log of the one that runs"));
  }
  return findings;
}
