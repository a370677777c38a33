// SPDX-License-Identifier: Apache-2.0

/** Returns the known name closest to a misspelt one: at most `distance` characters are wrong, missing, extra or swapped. */
export function similarName(name: string, known: Iterable<string>, distance = 2): string | undefined {
  let [closest, fewest]: [string | undefined, number] = [undefined, distance + 1];
  for (const candidate of known) {
    const edits = editsBetween(name.toLowerCase(), candidate.toLowerCase());
    // Ignore short names: too few of their characters would match.
    if (edits < fewest && edits * 3 <= candidate.length) [closest, fewest] = [candidate, edits];
  }
  return closest;
}

/** The optimal string alignment distance of two names. */
function editsBetween(a: string, b: string): number {
  const rows: number[][] = [Array.from({ length: b.length + 1 }, (_, column) => column)];
  for (let row = 1; row <= a.length; row++) {
    rows[row] = [row];
    for (let column = 1; column <= b.length; column++) {
      const isSame = a[row - 1] === b[column - 1];
      const swapped = row > 1 && column > 1 && a[row - 1] === b[column - 2] && a[row - 2] === b[column - 1];
      rows[row]![column] = Math.min(
        rows[row - 1]![column]! + 1,
        rows[row]![column - 1]! + 1,
        rows[row - 1]![column - 1]! + (isSame ? 0 : 1),
        swapped ? rows[row - 2]![column - 2]! + 1 : Infinity,
      );
    }
  }
  return rows[a.length]![b.length]!;
}
