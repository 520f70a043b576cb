/** What two objects are to each other, worked out once: many that are asked for have the same ones. */

/** Remembers each verdict as long as both objects are there; neither changes. */
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
