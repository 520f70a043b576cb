/** All events. */
import type { Event } from "./event.ts";
import { interruptions } from "./interruptions.ts";
import { keys } from "./keys.ts";
import { moves } from "./moves.ts";
import { waysBack } from "./put-back.ts";
import { upgrades } from "./upgrades.ts";

export const events: readonly Event[] = [...waysBack, ...moves, ...interruptions, ...upgrades, ...keys];
