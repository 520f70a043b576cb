/** The last change that was made in this browser, so that the dashboard can tell which edges answer it. */
const key = "last-change";
const listeners = new Set<() => void>();

export interface LastChange {
  readonly id: string;
  /** Unix seconds, by this browser's clock. */
  readonly at: number;
}

export function noteChange(id: string): void {
  localStorage.setItem(key, JSON.stringify({ id, at: Date.now() / 1000 } satisfies LastChange));
  for (const listener of listeners) listener();
}

/** The text that is kept; `readChange` reads it. */
export const keptChange = (): string | null => localStorage.getItem(key);

export function readChange(text: string | null): LastChange | undefined {
  try {
    return text === null ? undefined : (JSON.parse(text) as LastChange);
  } catch {
    return undefined;
  }
}

/** Calls `listener` after each change of this tab or another; returns a function that ends this. */
export function onChange(listener: () => void): () => void {
  const onStorage = (event: StorageEvent) => event.key === key && listener();
  listeners.add(listener);
  addEventListener("storage", onStorage);
  return () => {
    listeners.delete(listener);
    removeEventListener("storage", onStorage);
  };
}
