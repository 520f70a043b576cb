/** Caches results for pairs of objects, since many requests use the same pairs. */

/** Caches each verdict as long as both objects exist; the objects must not change. */
export function remembered<A extends object, B extends object, Verdict>(
  judge: (a: A, b: B) => Verdict,
): (a: A, b: B) => Verdict {
  const judged = new WeakMap<A, WeakMap<B, { readonly verdict: Verdict }>>();
  return (a, b) => {
    const others = judged.get(a) ?? new WeakMap<B, { readonly verdict: Verdict }>();
    judged.set(a, others);
    const known = others.get(b) ?? { verdict: judge(a, b) };
    others.set(b, known);
    return known.verdict;
  };
}
