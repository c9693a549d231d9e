/**
 * "Did you mean …": the nearest of a few known words.
 *
 * @module
 */

/** Longer words than this are not compared, so that odd input costs nothing. */
const MAX_LENGTH = 64;

/**
 * The word of `known` nearest to `word`, if it is near enough to be a slip of the pen. Upper case and
 * `-` for `_` do not count as differences.
 */
export function nearest(word: string, known: readonly string[]): string | undefined {
  if (word.length > MAX_LENGTH) return undefined;
  const plain = simplify(word);
  let best: { readonly name: string; readonly distance: number } | undefined;
  for (const name of known) {
    const distance = editDistance(plain, simplify(name));
    if (distance <= Math.floor(name.length / 3) && distance < (best?.distance ?? Infinity)) {
      best = { name, distance };
    }
  }
  return best?.name;
}

function simplify(word: string): string {
  return word.toLowerCase().replaceAll("-", "_");
}

/** Levenshtein distance, one row of the table at a time. */
function editDistance(a: string, b: string): number {
  let row = Array.from({ length: b.length + 1 }, (_, j) => j);
  for (let i = 1; i <= a.length; i++) {
    const next = [i];
    for (let j = 1; j <= b.length; j++) {
      const change = (row[j - 1] ?? 0) + (a[i - 1] === b[j - 1] ? 0 : 1);
      next.push(Math.min(change, (row[j] ?? 0) + 1, (next[j - 1] ?? 0) + 1));
    }
    row = next;
  }
  return row[b.length] ?? 0;
}
