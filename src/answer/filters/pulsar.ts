/** The filters that use measurements by real users. There are no measurements yet, so the filters have no effect. */
import { type Fields, flag, number } from "../../lib/fields.ts";
import { type Filter, type FilterKind, filter } from "./contract/filter.ts";

const passes = "It has no effect until there are measurements.";

const sorting = {
  sort_descending: flag({ shortdesc: "Largest value first", default: "0" }),
  explain: flag({ shortdesc: "Explain the order", desc: "Adds texts that explain the order.", default: "0" }),
};

function pulsarFilter(id: string, shortdesc: string, kind: FilterKind, config: Fields): Filter {
  return filter({
    id,
    shortdesc,
    desc: `${shortdesc}. ${passes}`,
    tier: 3,
    kind,
    inputs: ["pulsar"],
    config,
    compile: () => undefined,
  });
}

export const pulsarFilters: readonly Filter[] = [
  pulsarFilter("pulsar", "Sort by users' measurements", "reorders", sorting),
  // the older name of `pulsar`
  pulsarFilter("pulse", "Sort by users' measurements", "reorders", sorting),
  pulsarFilter("pulsar_performance_sort", "Sort by performance that users measured", "reorders", {}),
  pulsarFilter(
    "pulsar_performance_stabilize",
    "Keep the answers near the best performance that users measured",
    "eliminates",
    { threshold: number({ shortdesc: "How far from the best an answer may be, in percent", default: "10", least: 0 }) },
  ),
  pulsarFilter("pulsar_availability_sort", "Sort by availability that users measured", "reorders", {}),
  pulsarFilter(
    "pulsar_availability_threshold",
    "Remove answers whose availability, as users measured it, is too low",
    "eliminates",
    { threshold: number({ shortdesc: "Lowest availability, in percent", default: "90", least: 0, most: 100 }) },
  ),
];
