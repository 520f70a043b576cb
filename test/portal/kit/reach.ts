/** Parts of a page that a user reaches or reads only by scrolling sideways, or not at all. */
import type { Page } from "playwright-core";

/** Acts and chosen tabs outside the view, tables that scroll sideways, and texts that are cut off, each in words. */
export const outOfReach = (page: Page): Promise<string[]> =>
  page.evaluate<string[]>(`(() => {
    const all = (selector) => [...document.querySelectorAll(selector)].filter((one) => one.checkVisibility());
    const isOut = (one) => {
      const { left, right } = one.getBoundingClientRect();
      return left < -1 || right > innerWidth + 1;
    };
    // what only screen readers have is a pixel wide
    const isWide = (one) => one.clientWidth > 1 && one.scrollWidth > one.clientWidth + 1;
    const scrolls = (one) => isWide(one) && /auto|scroll/.test(getComputedStyle(one).overflowX);
    const isCut = (one) => isWide(one) && getComputedStyle(one).textOverflow === "ellipsis";
    const rows = "nav, [role=tablist]";
    const acts = all(":is(header, main) :is(a, button, input, select, textarea)");
    const say = (what, some) =>
      some.map((one) => what + ": " + (one.ariaLabel ?? one.textContent).trim().slice(0, 60));
    return [
      ...say("out of view", acts.filter((one) => isOut(one) && !one.closest(rows))),
      ...say("chosen, but out of view", all("main :is([role=tab][aria-selected=true], [aria-current])").filter(isOut)),
      ...say("scrolls sideways", all("main :has(> table), main :has(> * > table)").filter(scrolls)),
      ...say("cut off", all("main :not(input)").filter(isCut)),
    ];
  })()`);
