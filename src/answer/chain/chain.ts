/** The filter chain of a record, compiled once and run for each query. No stored data make it throw. */
import { isObject } from "../../lib/values.ts";
import { mix } from "../filters/contract/client.ts";
import type { LiveValues, NoteValue } from "../filters/contract/column.ts";
import { Columns } from "../filters/contract/columns.ts";
import type { Atlas, FilterClient, FilterRecord, Step } from "../filters/contract/filter.ts";
import { filtersById } from "../filters/index.ts";
import type { Selection } from "../model/selection.ts";
import { isDisabled, type SteeringSettings } from "../model/steering-settings.ts";
import { LiveGuard, shareOf } from "./live-guard.ts";
import { allDownOf, type Regions } from "./policy.ts";

/** Data outside the record that chains read: values of feeds, and coordinates of places. */
export interface Surroundings {
  readonly live: LiveValues;
  readonly atlas: Atlas;
}

/** Functions that a trace gives to a chain. They change no result. */
export interface ChainNotes {
  /** Called for each value that a filter reads. */
  readonly value: NoteValue;
  /** Called when no answer is up; `policy` is the record's `all_down`. */
  readonly allDown: (policy: unknown) => void;
  /** Called when `live_guard` puts removed answers back. */
  readonly guarded: () => void;
}

/** One filter of a chain. Without a step it does nothing to this record. */
export interface ChainFilter {
  readonly id: string;
  readonly config: unknown;
  readonly step: Step | undefined;
}

export class Chain {
  /** The enabled filters. */
  readonly filters: readonly ChainFilter[];
  readonly usesSubnet: boolean;
  /** The filters that can change the selection for this record. */
  readonly steps: readonly Step[];
  /** The number of runs that have begun. */
  runs = 0;
  readonly #answers: number;
  /** Undefined when no value can change. */
  readonly #columns: Columns | undefined;
  readonly #guard: LiveGuard | undefined;

  constructor(
    settings: SteeringSettings,
    columns: Columns,
    filters: readonly ChainFilter[],
    guard: LiveGuard | undefined,
  ) {
    this.filters = filters;
    this.usesSubnet = settings.use_client_subnet;
    this.#answers = settings.answers.length;
    this.#columns = columns.isLive ? columns : undefined;
    this.#guard = guard;
    this.steps = filters.flatMap(({ step }) => step ?? []);
  }

  /** Selects the answers for a client, in order. */
  run(selection: Selection, client: FilterClient): void {
    this.begin(selection);
    const { steps } = this;
    for (let i = 0; i < steps.length; i++) steps[i]!(selection, client);
  }

  /** For a caller that runs the filters one by one; at most one run is in progress. */
  begin(selection: Selection): void {
    this.runs++;
    this.resume();
    this.#guard?.begin();
    selection.begin(this.#answers);
  }

  /** For a caller that comes back to a run. */
  resume(): void {
    this.#columns?.refresh();
  }
}

/** `rdata` has the RDATA of each answer. */
export function compileChain(
  settings: SteeringSettings,
  rdata: readonly Uint8Array[],
  { live, atlas }: Surroundings,
  notes?: ChainNotes,
): Chain {
  const columns = new Columns(settings, live, notes?.value);
  const answers = settings.answers.length;
  const regions = regionsOf(settings);
  const shared = { type: settings.type, answers, ...regions, identities: identitiesOf(rdata), atlas };
  const policy = allDownOf(settings, columns, regions);
  const allDown = notes ? noted(policy, () => notes.allDown(settings.all_down)) : policy;
  const share = shareOf(settings.live_guard);
  const guard = share === undefined ? undefined : new LiveGuard(share, answers, notes?.guarded);
  const wanted = settings.filters.filter(isObject).filter((filter) => !isDisabled(filter));
  const filters: ChainFilter[] = [];
  let needed = Number.POSITIVE_INFINITY;
  // From the last to the first: a filter may skip work whose result no later filter uses
  for (const { filter: id, config } of wanted.toReversed()) {
    const isLive = new Uint8Array(answers + 1);
    const watch = (key: string) => {
      for (const [answer, entry] of columns.entries(key).entries()) if (entry?.feed !== undefined) isLive[answer] = 1;
    };
    const record: FilterRecord = {
      ...shared,
      needed,
      numbers: (key) => {
        watch(key);
        return columns.numbers(key);
      },
      values: (key, parse) => {
        watch(key);
        return columns.values(key, parse);
      },
      allDown,
    };
    const filter = filtersById.get(String(id));
    const acts = filter !== undefined && (filter.rectypes?.includes(settings.type) ?? true);
    const step = acts ? filter.compile(config, record) : undefined;
    const guarded = guard && step && filter && isLive.includes(1) ? guard.over(step, filter.kind, isLive) : step;
    filters.unshift({ id: String(id), config, step: guarded });
    if (step && filter) needed = filter.sees(config);
  }
  return new Chain(settings, columns, filters, guard);
}

const noted = (policy: (selection: Selection) => void, note: () => void) => (selection: Selection) => {
  note();
  policy(selection);
};

function regionsOf({ answers }: SteeringSettings): Regions {
  const regionNames = [""];
  const regions = new Int32Array(answers.length + 1);
  for (const [answer, { region }] of answers.entries()) {
    if (typeof region !== "string") continue;
    const at = regionNames.indexOf(region);
    regions[answer] = at < 0 ? regionNames.push(region) - 1 : at;
  }
  return { regions, regionNames };
}

/** A hash for each answer: of its RDATA, and of the number of earlier answers with the same RDATA. */
function identitiesOf(rdata: readonly Uint8Array[]): Int32Array {
  const twins = new Map<number, number>();
  return Int32Array.from([...rdata, new Uint8Array(0)], (octets) => {
    const hash = octets.reduce(mix, octets.length);
    const before = twins.get(hash) ?? 0;
    twins.set(hash, before + 1);
    return mix(hash, before);
  });
}
