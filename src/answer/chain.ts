/** The chain of a record: its filters compiled once, run for each query. Whatever is stored, it neither throws nor fails. */
import { mix } from "./client.ts";
import { Columns, type LiveValues, type NoteValue } from "./columns.ts";
import type { Atlas, Filter, FilterClient, FilterRecord, Step } from "./filter.ts";
import { filters } from "./filters/index.ts";
import { isDisabled, isObject, type Recipe } from "./recipe.ts";
import type { Selection } from "./selection.ts";

/** What chains know of the world. */
export interface Surroundings {
  readonly live: LiveValues;
  readonly atlas: Atlas;
}

/** One filter of a chain. Without a step it does nothing to this record. */
export interface Link {
  readonly id: string;
  readonly config: unknown;
  readonly step: Step | undefined;
}

export class Chain {
  /** The enabled filters. */
  readonly links: readonly Link[];
  readonly usesSubnet: boolean;
  readonly #answers: number;
  readonly #columns: Columns;
  readonly #steps: readonly Step[];

  constructor(recipe: Recipe, columns: Columns, links: readonly Link[]) {
    this.links = links;
    this.usesSubnet = recipe.use_client_subnet;
    this.#answers = recipe.answers.length;
    this.#columns = columns;
    this.#steps = links.flatMap(({ step }) => step ?? []);
  }

  /** Selects the answers for a client, in order. */
  run(selection: Selection, client: FilterClient): void {
    this.begin(selection);
    const steps = this.#steps;
    for (let i = 0; i < steps.length; i++) steps[i]!(selection, client);
  }

  /** For a caller that runs the links one by one. */
  begin(selection: Selection): void {
    this.#columns.refresh();
    selection.begin(this.#answers);
  }
}

/** `rdata` holds the RDATA of each answer. With `note`, whatever filters read is told, and nothing else is different. */
export function compileChain(
  recipe: Recipe,
  rdata: readonly Uint8Array[],
  { live, atlas }: Surroundings,
  note?: NoteValue,
): Chain {
  const columns = new Columns(recipe, live, note);
  const answers = recipe.answers.length;
  const { regions, regionNames } = regionsOf(recipe);
  const identities = identitiesOf(rdata);
  const wanted = recipe.filters.filter(isObject).filter((filter) => !isDisabled(filter));
  const links: Link[] = [];
  for (const [i, { filter: id, config }] of wanted.entries()) {
    const filter = known.get(String(id));
    const record: FilterRecord = {
      type: recipe.type,
      answers,
      regions,
      regionNames,
      identities,
      needed: answers,
      atlas,
      numbers: (key) => columns.numbers(key),
      values: (key, parse) => columns.values(key, parse),
      allDown: () => undefined,
    };
    const acts = filter !== undefined && (filter.rectypes?.includes(recipe.type) ?? true);
    links[i] = { id: String(id), config, step: acts ? filter.compile(config, record) : undefined };
  }
  return new Chain(recipe, columns, links);
}

const known: ReadonlyMap<string, Filter> = new Map(filters.map((filter) => [filter.id, filter]));

function regionsOf({ answers }: Recipe) {
  const regionNames = [""];
  const regions = new Int32Array(answers.length + 1);
  for (const [answer, { region }] of answers.entries()) {
    if (typeof region !== "string") continue;
    const at = regionNames.indexOf(region);
    regions[answer] = at < 0 ? regionNames.push(region) - 1 : at;
  }
  return { regions, regionNames };
}

/** Answers with the same RDATA are told apart by how many of them stand before. */
function identitiesOf(rdata: readonly Uint8Array[]): Int32Array {
  const twins = new Map<number, number>();
  return Int32Array.from([...rdata, new Uint8Array(0)], (octets) => {
    const hash = octets.reduce(mix, octets.length);
    const before = twins.get(hash) ?? 0;
    twins.set(hash, before + 1);
    return mix(hash, before);
  });
}
