// SPDX-License-Identifier: Apache-2.0
// Compares how the engine and OpenTofu make the moves of `moved` blocks, and validate the blocks.
import { toJs, type Value } from "@tenon/cty";
import { formatResourceInstance, type ModuleInstance } from "@tenon/engine/address";
import { loadConfiguration, type Configuration } from "@tenon/engine/configuration";
import { readStateFile, writeStateFile } from "@tenon/engine/state";
import {
  applyMoves,
  DeclaredInstances,
  formatMovable,
  impliedMoveStatements,
  moveStatementsOf,
  validateMoves,
  type Expansion,
} from "@tenon/engine/unstable/expansion";
import { hasErrors, type Expression } from "@tenon/hcl";
import { evaluate } from "@tenon/hcl/evaluate";
import { memoryFiles } from "@tenon/hcl/files";
import { describePeer } from "@tenon/peers/vitest";
import { test } from "vitest";
import type { Case, OracleResult } from "../cty/notation.ts";
import { openOracle } from "../cty/oracle.ts";
import { randomFor } from "@tenon/testing/generate";
import { diagnosticsNotation, type DiagnosticNotation } from "./diagnostic-notation.ts";
import { makeMoveCase, type MoveCase } from "./move-source.ts";

interface MoveAnswer {
  readonly text?: string;
  readonly moved?: readonly (readonly [to: string, from: string, implied: boolean])[];
  readonly blocked?: readonly (readonly [actual: string, wanted: string])[];
  readonly diagnostics: readonly DiagnosticNotation[];
}

const sorted = (list: readonly unknown[]): readonly string[] => list.map((one) => JSON.stringify(one)).sort();

/** The answer with its lists sorted: OpenTofu's are in the order of Go's maps, and instances with keys of both kinds in random order. */
function comparable({ text, moved = [], blocked = [], diagnostics }: MoveAnswer): string {
  const state: unknown =
    text && JSON.parse(text, (name, value: unknown) => (name === "instances" ? sorted(value as readonly unknown[]) : value));
  return JSON.stringify({ state, moved: sorted(moved), blocked: sorted(blocked), diagnostics: sorted(diagnostics) }, undefined, 1);
}

function expansionOf(block: { readonly count?: Expression; readonly forEach?: Expression; readonly enabled?: Expression }): Expansion {
  const literal = (expression: Expression): Value => evaluate(expression).value;
  if (block.count !== undefined) return { kind: "count", count: toJs(literal(block.count)) as number };
  if (block.forEach !== undefined) {
    const values = Object.keys(toJs(literal(block.forEach)) as object).map((key) => [key, literal(block.forEach!)] as const);
    return { kind: "forEach", values: new Map(values) };
  }
  return block.enabled === undefined ? { kind: "single" } : { kind: "enabled", enabled: toJs(literal(block.enabled)) as boolean };
}

function declare(declared: DeclaredInstances, { path, module, children }: Configuration, instance: ModuleInstance): void {
  for (const block of [...module.managedResources.values(), ...module.dataResources.values()]) {
    declared.addResource({ module: instance, resource: block.address }, expansionOf(block));
  }
  for (const [name, call] of module.calls) {
    declared.addModuleCall(instance, name, expansionOf(call));
    for (const child of declared.moduleInstances([...path, name])) {
      const isOwn = instance.every((step, index) => child[index]?.key === step.key);
      if (isOwn) declare(declared, children.get(name)!, child);
    }
  }
}

async function ownResult({ files, state }: MoveCase): Promise<MoveAnswer> {
  const { configuration, diagnostics } = await loadConfiguration({ files: memoryFiles(new Map(Object.entries(files))) });
  if (configuration === undefined || hasErrors(diagnostics)) return { diagnostics: diagnosticsNotation(diagnostics) };
  const { file } = readStateFile(state);
  const explicit = moveStatementsOf(configuration);
  const statements = [...explicit, ...impliedMoveStatements(configuration, file!.state, explicit)];
  const results = applyMoves(statements, file!.state);
  const declared = new DeclaredInstances();
  declare(declared, configuration, []);
  return {
    text: writeStateFile({ ...file!, state: results.state }, "compact"),
    moved: Array.from(results.moved, ([to, { from, implied }]) => [to, formatResourceInstance(from), implied] as const),
    blocked: results.blocked.map(({ actual, wanted }) => [formatMovable(actual), formatMovable(wanted)] as const),
    diagnostics: diagnosticsNotation(validateMoves(statements, configuration, declared)),
  };
}

function answersOf(answer: OracleResult): readonly string[] {
  const variants: readonly OracleResult[] = "varies" in answer ? answer.varies : [answer];
  return variants.map((one) => ("ok" in one ? comparable(one.ok as unknown as MoveAnswer) : JSON.stringify(one)));
}

describePeer(["engine-oracle"], "moves beside OpenTofu", () => {
  test("have the same results and the same diagnostics", { timeout: 120_000 }, async ({ expect }) => {
    const seed = Math.floor(Math.random() * 2 ** 32);
    const cases = Array.from({ length: 400 }, (_, index) => makeMoveCase(randomFor(seed, "moves", index)));
    // OpenTofu executes statements that do not depend on each other in random order. Rare orders need many repeats.
    const oracles = {
      quick: await openOracle({ peer: "engine-oracle", repeats: 5 }),
      thorough: await openOracle({ peer: "engine-oracle", repeats: 200 }),
    };
    const question = ({ files, state }: MoveCase): Case => ({ op: "moves.execute", args: [files, state] });
    try {
      const answers = await oracles.quick.ask(cases.map(question));
      const differences: string[] = [];
      const seen = { moved: 0, blocked: 0, faulty: 0 };
      for (const [index, one] of cases.entries()) {
        const ours = await ownResult(one);
        const theirs = answersOf(answers[index]!);
        if (!theirs.includes(comparable(ours))) {
          const [answer] = await oracles.thorough.ask([question(one)]);
          const more = answersOf(answer!);
          if (!more.includes(comparable(ours)))
            differences.push(`seed ${seed}, case ${index}: ${JSON.stringify(one)}\n- ${more.join("\n- ")}\n+ ${comparable(ours)}`);
        }
        if ((ours.moved?.length ?? 0) > 0) seen.moved++;
        if ((ours.blocked?.length ?? 0) > 0) seen.blocked++;
        if (ours.diagnostics.length > 0) seen.faulty++;
      }
      expect(differences).toEqual([]);
      expect(Math.min(seen.moved, seen.blocked, seen.faulty)).toBeGreaterThan(20);
    } finally {
      oracles.quick.close();
      oracles.thorough.close();
    }
  });
});
