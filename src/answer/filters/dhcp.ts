/** Exists for chains that name a scope group. There is no DHCP service: the filter changes nothing. */
import { number } from "../../lib/fields.ts";
import { filter } from "./contract/filter.ts";

export const dhcp = filter({
  id: "dhcp",
  shortdesc: "Answer from DHCP leases",
  desc: "Names the scope group whose leases would answer. Answers pass as they are: there is no DHCP service.",
  tier: 2,
  kind: "modifies",
  inputs: [],
  config: { scope_group_id: number({ shortdesc: "Id of the scope group", default: "0", least: 0, whole: true }) },
  edition: "ddi",
  compile: () => undefined,
});
