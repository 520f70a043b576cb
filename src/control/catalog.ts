/** The catalogues that need no store: networks, metadata keys, codes of places. */
import { Type } from "typebox";
import { metaKeys } from "../answer/meta.ts";
import { countries, subdivisions } from "../answer/places.ts";
import { route } from "./route.ts";
import { names } from "./schema.ts";

const MetaType = Type.Object({
  shortdesc: Type.String(),
  category: Type.String(),
  desc: Type.String({ description: "HTML." }),
});

export const catalogRoutes = [
  route({
    method: "GET",
    path: "/v1/networks",
    tag: "Zones",
    summary: "List networks",
    desc: "Sets of name servers that zones can be placed on.",
    right: "any",
    reply: Type.Array(Type.Object({ network_id: Type.Integer(), name: Type.String(), label: Type.String() })),
    run: async (_, { settings }) => [...settings.networks],
  }),
  route({
    method: "GET",
    path: "/v1/metatypes",
    tag: "Records",
    summary: "List metadata keys",
    right: "any",
    reply: Type.Record(Type.String(), MetaType),
    run: async () => metaKeys,
  }),
  route({
    method: "GET",
    path: "/v1/metatypes/geo",
    tag: "Records",
    summary: "List codes of countries and subdivisions",
    right: "any",
    reply: Type.Object({
      subdivisions: Type.Record(Type.String(), names("ISO 3166-2 codes without the country.")),
      countries: names("ISO 3166-1 codes."),
    }),
    run: async () => ({ subdivisions: Object.fromEntries(subdivisions), countries }),
  }),
];
