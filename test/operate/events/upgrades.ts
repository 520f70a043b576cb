/** Newer versions take the place of older ones, one process after the other. */
import type { Installation } from "../installation.ts";
import type { Part } from "../part.ts";
import { type Event, simple } from "./event.ts";

async function upgrade(parts: readonly Part[], sources: string): Promise<void> {
  for (const part of parts) {
    // a part that is stopped is started in its version
    if (!part.isRunning) part.sources = sources;
    else {
      await part.end();
      await part.start(sources);
    }
  }
}

/** From then on, both versions run side by side. */
const half: Event = simple("one control and two edges get a newer version", async ({ versions, controls, edges }) => {
  const sources = versions.next("with the same schema");
  await upgrade([controls[0]!, edges[0]!, edges[1]!], sources);
});

const whole: Event = simple("everything gets a version with a newer schema", async (installation) => {
  const { versions, controls, edges } = installation;
  const sources = versions.next("with another schema");
  const [first, second] = [controls[0]!, controls[1]!];
  await upgrade([first], sources);
  await assertStopped(installation, second);
  const older = second.sources;
  await second.end();
  const refusal = await second.start(older).then(() => "", String);
  if (!refusal.includes("was changed by a newer version of Fairlead"))
    throw new Error(`the older control started: ${refusal}`);
  await second.start(sources);
  await upgrade(edges, sources);
});

/** Throws unless the older control has stopped, and has said so once. */
async function assertStopped({ client }: Installation, older: Part): Promise<void> {
  if (await older.isReady()) throw new Error("the older control is ready beside a newer schema");
  for (let n = 0; n < 5; n++) await client.call("GET", "zones").catch(() => {});
  // other lines may name it as their reason
  const said = older.messages.filter((message) => message.includes("was changed by a newer version"));
  if (said.length !== 1) throw new Error(`the older control did not say once that it stopped:\n${said.join("\n")}`);
}

export const upgrades: readonly Event[] = [half, whole];
