/** The outlines of countries, by code, on a flat map; loaded with the map. */
import { geoNaturalEarth1, geoPath } from "d3-geo";
import { iso31661NumericToAlpha2 as alpha2 } from "iso-3166";
import { feature } from "topojson-client";
import type { GeometryCollection, Topology } from "topojson-specification";
import atlas from "world-atlas/countries-110m.json";

export const size = { width: 720, height: 360 } as const;

const { countries } = (atlas as unknown as Topology<{ countries: GeometryCollection<{ name: string }> }>).objects;
const shapes = feature(atlas as unknown as Topology, countries);
const projection = geoNaturalEarth1().fitSize([size.width, size.height], shapes);
const pathOf = geoPath(projection);

/** A country's outline as a path of SVG; `code` is undefined for places without a code of ISO 3166-1. */
export interface Outline {
  readonly code: string | undefined;
  readonly name: string;
  readonly path: string;
}

export const outlines: readonly Outline[] = shapes.features.map((shape) => ({
  code: alpha2[String(shape.id)],
  name: shape.properties.name,
  path: pathOf(shape) ?? "",
}));
