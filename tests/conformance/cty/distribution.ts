// SPDX-License-Identifier: Apache-2.0
import { answerKind, type Answer, type AnswerKind, type Case } from "./notation.ts";

/** What a run was made of, so that nobody has to take its coverage on trust. */
export class Distribution {
  readonly #areas = new Map<string, AreaCounts>();

  add(area: string, asked: Case, answer: Answer): void {
    let counts = this.#areas.get(area);
    if (counts === undefined) this.#areas.set(area, (counts = { cases: 0, kinds: new Map(), operations: new Map() }));
    counts.cases++;
    const kind = answerKind(answer);
    counts.kinds.set(kind, (counts.kinds.get(kind) ?? 0) + 1);
    counts.operations.set(asked.op, (counts.operations.get(asked.op) ?? 0) + 1);
  }

  get cases(): number {
    return [...this.#areas.values()].reduce((sum, { cases }) => sum + cases, 0);
  }

  /** The share of cases that go-cty answers with a result. */
  get okShare(): number {
    const ok = [...this.#areas.values()].reduce((sum, { kinds }) => sum + (kinds.get("ok") ?? 0), 0);
    return ok / Math.max(1, this.cases);
  }

  /** How many cases the operation with the fewest has. */
  fewest(area: string): number {
    return Math.min(...(this.#areas.get(area)?.operations.values() ?? []));
  }

  /** A row an area: its cases, how go-cty answers them, and how many each operation has. */
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
  readonly kinds: Map<AnswerKind, number>;
  readonly operations: Map<string, number>;
}
