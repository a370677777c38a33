// SPDX-License-Identifier: Apache-2.0
import { spawnSync } from "node:child_process";
import type { CheckedDocuments, CheckNotation } from "./check-notation.ts";

/** A case of testing-oracle. */
export interface OracleCase extends CheckedDocuments {
  readonly checks: readonly CheckNotation[];
}

/** The outcome of one of Go's checks. */
export interface GoOutcome {
  readonly passed: boolean;
  readonly error?: string;
}

/** Evaluates cases with terraform-plugin-testing. @throws Error if a case is malformed */
export function goOutcomes(oracle: string, cases: readonly OracleCase[]): readonly (readonly GoOutcome[])[] {
  const input = cases.map((one, id) => JSON.stringify({ id, ...one })).join("\n");
  const { status, stdout, stderr } = spawnSync(oracle, [], { input, encoding: "utf8", maxBuffer: 1 << 30 });
  if (status !== 0) throw new Error(`testing-oracle ended with ${String(status)}: ${stderr}`);
  return stdout
    .trimEnd()
    .split("\n")
    .map((line, index) => {
      const answer = JSON.parse(line) as {
        readonly refused?: string;
        readonly outcomes?: readonly (GoOutcome & { readonly refused?: string })[];
      };
      const refusal = answer.refused ?? answer.outcomes?.find(({ refused }) => refused !== undefined)?.refused;
      if (refusal !== undefined) throw new Error(`testing-oracle refused case ${index}: ${refusal}`);
      return answer.outcomes!;
    });
}
