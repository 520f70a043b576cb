/** Makes functions of two objects that cache their results, since many requests use the same objects. */

/** Caches each result as long as both objects exist; the objects must not change. */
export function cachedByPair<A extends object, B extends object, Result>(
  compute: (a: A, b: B) => Result,
): (a: A, b: B) => Result {
  const results = new WeakMap<A, WeakMap<B, { readonly result: Result }>>();
  return (a, b) => {
    const ofOne = results.get(a) ?? new WeakMap<B, { readonly result: Result }>();
    results.set(a, ofOne);
    const known = ofOne.get(b) ?? { result: compute(a, b) };
    ofOne.set(b, known);
    return known.result;
  };
}
