/** The names of the demo that the command loads. */

export const zone = "demo.fairlead.test";
export const sourceName = "fairlead demo";
