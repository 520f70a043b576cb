/** Chains that people often want, by the filters that the service has. */
import type { Filter } from "../model.ts";

export type TemplateName = "failover" | "geoFailover" | "canary" | "sticky";

const chain = (...filters: readonly (readonly [id: string, config?: Filter["config"]])[]): Filter[] =>
  filters.map(([filter, config = {}]) => ({ filter, config }));

export const templates: { readonly [name in TemplateName]: readonly Filter[] } = {
  failover: chain(["up"], ["select_first_n", { N: 1 }]),
  geoFailover: chain(["up"], ["geotarget_regional"], ["select_first_n", { N: 1 }]),
  canary: chain(["up"], ["weighted_shuffle"], ["select_first_n", { N: 1 }]),
  sticky: chain(["up"], ["sticky"], ["select_first_n", { N: 1 }]),
};
