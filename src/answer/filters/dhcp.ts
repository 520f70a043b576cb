/** Accepted in chains, but without effect: there is no DHCP service. */
import { number } from "../../lib/fields.ts";
import { filter } from "./contract/filter.ts";

export const dhcp = filter({
  id: "dhcp",
  shortdesc: "Answer from DHCP leases",
  desc: "Names the scope group whose leases would be the answers. It has no effect: there is no DHCP service.",
  tier: 2,
  kind: "modifies",
  inputs: [],
  config: { scope_group_id: number({ shortdesc: "Id of the scope group", default: "0", least: 0, whole: true }) },
  edition: "ddi",
  compile: () => undefined,
});
