/** The fields of a form for something that exists: what is stored, with what was typed over it, kept in this tab. */
import { useKept } from "../../../kit/kept.ts";

export interface Form<T> {
  readonly value: T;
  /** Only the fields that differ from what is stored. */
  readonly changes: Partial<T>;
  readonly count: number;
  readonly set: (fields: Partial<T>) => void;
  readonly forget: () => void;
}

export function useForm<T extends object>(name: string, stored: T): Form<T> {
  const [typed, keep, forget] = useKept<Partial<T>>(`form:${name}`, {});
  const isOther = ([field, value]: [string, unknown]) =>
    JSON.stringify(value) !== JSON.stringify(stored[field as keyof T]);
  // safe: the fields are those of `typed`
  const changes = Object.fromEntries(Object.entries(typed).filter(isOther)) as Partial<T>;
  return {
    value: { ...stored, ...typed },
    changes,
    count: Object.keys(changes).length,
    set: (fields) => keep({ ...typed, ...fields }),
    forget,
  };
}
