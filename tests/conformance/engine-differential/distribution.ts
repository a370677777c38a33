// SPDX-License-Identifier: Apache-2.0

/** How often each of several things occurred, in several groups. */
export class Distribution {
  readonly #groups = new Map<string, Map<string, number>>();

  add(group: string, name: string): void {
    const counts = this.#groups.get(group) ?? new Map<string, number>();
    this.#groups.set(group, counts.set(name, (counts.get(name) ?? 0) + 1));
  }

  count(group: string, name: string): number {
    return this.#groups.get(group)?.get(name) ?? 0;
  }

  /** A row for each group: the share of each name in `of`, the most frequent first. */
  rows(of: (group: string) => number): readonly string[] {
    return [...this.#groups].map(([group, counts]) => {
      const shares = [...counts]
        .toSorted(([, a], [, b]) => b - a)
        .map(([name, count]) => `${name} ${((100 * count) / Math.max(1, of(group))).toFixed(1)}%`);
      return `${group}: ${shares.join(", ")}`;
    });
  }
}
