/** The filters that prefer the lowest value of a metadata key. */
import { flag } from "../../../lib/fields.ts";
import { type Filter, type FilterRecord, filter, type Step } from "../contract/filter.ts";
import { sortFirst } from "./order.ts";

export function lowestFirst(
  id: "priority" | "cost",
  words: { readonly shortdesc: string; readonly desc: string },
): Filter {
  return filter({
    id,
    ...words,
    tier: 2,
    kind: "selects",
    inputs: [id],
    config: {
      eliminate: flag({
        shortdesc: "Keep only the best",
        desc: `Keeps only the answers with the lowest <code>${id}</code>, instead of sorting all.`,
        default: "0",
      }),
    },
    reason: (_config, read) =>
      read(id) === undefined
        ? `the answer has no ${id}, and another answer has one`
        : `another answer has a lower ${id}`,
    compile: ({ eliminate }, record) => {
      if (record.numbers(id).isEmpty) return undefined;
      return eliminate ? keepLowest(id, record) : sortByLowest(id, record);
    },
  });
}

function sortByLowest(key: string, record: FilterRecord): Step {
  const values = record.numbers(key);
  return (selection) => {
    const { keys, count } = selection;
    for (let rank = 0; rank < count; rank++) keys[rank] = values.at(selection.answer(rank));
    sortFirst(selection, record.needed);
  };
}

/** Answers without a value stay only if no answer has a value. */
function keepLowest(key: string, record: FilterRecord): Step {
  const values = record.numbers(key);
  return (selection) => {
    const { keys, count } = selection;
    let lowest = Number.POSITIVE_INFINITY;
    for (let rank = 0; rank < count; rank++) {
      const value = values.at(selection.answer(rank));
      keys[rank] = value;
      if (value < lowest) lowest = value;
    }
    if (lowest === Number.POSITIVE_INFINITY) return;
    let kept = 0;
    for (let rank = 0; rank < count; rank++) if (keys[rank] === lowest) selection.move(rank, kept++);
    selection.cut(kept);
  };
}
