/** Puts answers in random order. */
import { filter } from "./contract/filter.ts";

export const shuffle = filter({
  id: "shuffle",
  shortdesc: "Shuffle answers",
  desc: "Puts the answers in random order: each order is as likely as any other.",
  tier: 2,
  kind: "reorders",
  inputs: [],
  config: {},
  compile: (_config, { needed }) => {
    return (selection, client) => {
      const last = selection.count - 1;
      for (let place = 0; place < last && place < needed; place++) {
        selection.swap(place, place + Math.floor(client.random() * (selection.count - place)));
      }
    };
  },
});
