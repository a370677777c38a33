// SPDX-License-Identifier: Apache-2.0

/** Numbers of calls by RPC and result. */
export class Distribution {
  readonly #rpcs = new Map<string, Map<string, number>>();

  add(rpc: string, sort: string): void {
    const sorts = this.#rpcs.get(rpc) ?? new Map<string, number>();
    this.#rpcs.set(rpc, sorts.set(sort, (sorts.get(sort) ?? 0) + 1));
  }

  get calls(): number {
    return [...this.#rpcs.values()].reduce((sum, sorts) => sum + total(sorts), 0);
  }

  /** Share of an RPC's calls with one result. */
  share(rpc: string, sort: string): number {
    const sorts = this.#rpcs.get(rpc);
    return sorts === undefined ? 0 : (sorts.get(sort) ?? 0) / total(sorts);
  }

  rows(): readonly string[] {
    return [...this.#rpcs]
      .toSorted(([, a], [, b]) => total(b) - total(a))
      .map(([rpc, sorts]) => {
        const calls = total(sorts);
        const shares = [...sorts]
          .toSorted(([, a], [, b]) => b - a)
          .map(([sort, count]) => `${sort} ${((100 * count) / calls).toFixed(1)}%`);
        return `${rpc.padEnd(26)} ${String(calls).padStart(7)} calls  ${shares.join(", ")}`;
      });
  }
}

function total(sorts: ReadonlyMap<string, number>): number {
  return [...sorts.values()].reduce((sum, count) => sum + count, 0);
}
