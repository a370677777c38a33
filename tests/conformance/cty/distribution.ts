// SPDX-License-Identifier: Apache-2.0
import { resultKind, type OracleResult, type OracleResultKind, type Case } from "./notation.ts";

/** Distribution of a run's cases by area, operation and kind of answer; shows the coverage of the run. */
export class Distribution {
  readonly #areas = new Map<string, AreaCounts>();

  add(area: string, input: Case, answer: OracleResult): void {
    let counts = this.#areas.get(area);
    if (counts === undefined) this.#areas.set(area, (counts = { cases: 0, kinds: new Map(), operations: new Map() }));
    counts.cases++;
    const kind = resultKind(answer);
    counts.kinds.set(kind, (counts.kinds.get(kind) ?? 0) + 1);
    counts.operations.set(input.op, (counts.operations.get(input.op) ?? 0) + 1);
  }

  get cases(): number {
    return [...this.#areas.values()].reduce((sum, { cases }) => sum + cases, 0);
  }

  /** Share of cases for which go-cty returns a result. */
  get okShare(): number {
    const ok = [...this.#areas.values()].reduce((sum, { kinds }) => sum + (kinds.get("ok") ?? 0), 0);
    return ok / Math.max(1, this.cases);
  }

  /** Number of cases of the operation with the fewest. */
  fewest(area: string): number {
    return Math.min(...(this.#areas.get(area)?.operations.values() ?? []));
  }

  /** A row for each area: number of cases, kinds of go-cty's answers, number of cases of each operation. */
  rows(): string[] {
    return [...this.#areas].map(([area, { cases, kinds, operations }]) => {
      const shares = [...kinds].sort(([, a], [, b]) => b - a).map(([kind, count]) => `${kind} ${((100 * count) / cases).toFixed(1)}%`);
      const counts = [...operations.values()];
      return `${area.padEnd(10)} ${String(cases).padStart(8)} cases  ${String(operations.size).padStart(3)} operations, ${Math.min(...counts)}-${Math.max(...counts)} cases each  ${shares.join(", ")}`;
    });
  }
}

interface AreaCounts {
  cases: number;
  readonly kinds: Map<OracleResultKind, number>;
  readonly operations: Map<string, number>;
}
