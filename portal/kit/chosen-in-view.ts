/** Scrolls a row of tabs, or of links that look like tabs, until the chosen one is in view. */
import { type RefObject, useEffect, useRef } from "react";

export function useChosenInView(chosen: string): RefObject<HTMLDivElement | null> {
  const row = useRef<HTMLDivElement>(null);
  // biome-ignore lint/correctness/useExhaustiveDependencies: which one the page marks changes with `chosen`
  useEffect(() => {
    const tab = row.current?.querySelector('[aria-selected="true"], [aria-current]');
    tab?.scrollIntoView({ block: "nearest", inline: "center" });
  }, [chosen]);
  return row;
}
