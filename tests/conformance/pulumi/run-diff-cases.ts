// SPDX-License-Identifier: Apache-2.0
import { join } from "node:path";
import { bridgePackage, type ResourceMapping } from "@tenon/bridge/pulumi";
import type { ServiceClient } from "@tenon/protocol/carrier/calls";
import { DiffResponse_DiffChanges as Changes, PropertyDiff_Kind as Kind, type ResourceProvider } from "@tenon/protocol/pulumi";
import { inputsOf } from "./case-inputs.ts";
import { caseProvider } from "./case-provider.ts";
import { readDiffCases, typeNameOf, type CaseChange, type DiffCase } from "./diff-case.ts";
import { PluginProcess } from "./plugin-process.ts";

/** What the plugin answered to a case. */
export interface DiffCaseResult {
  readonly given: DiffCase;
  readonly changes: "none" | "some";
  readonly detailed: Readonly<Record<string, CaseChange>>;
  /** What is wrong; empty where the case passes. */
  readonly faults: readonly string[];
  /** Messages of the change, for comparison with other bridges. */
  readonly trace: DiffTrace;
}

/** Properties of a change on the engine's wire. */
export interface DiffTrace {
  readonly inputs: unknown;
  readonly outputs: unknown;
  readonly planned: unknown;
}

/** Runs the cases of a file: each creates a resource with the plugin and compares the changed inputs with it, as the engine does. */
export async function runDiffCases(file: string): Promise<readonly DiffCaseResult[]> {
  const cases = readDiffCases(file);
  const { mapping } = await bridgePackage(caseProvider(cases), { name: "case", version: "1.0.0" });
  const byType = new Map([...mapping.resources.values()].map((resource) => [resource.typeName, resource]));
  await using plugin = await PluginProcess.start(join(import.meta.dirname, "case-plugin.ts"), { DIFF_CASE_FILE: file });
  await plugin.configure("case", {});
  const results: DiffCaseResult[] = [];
  for (const [index, given] of cases.cases.entries()) results.push(await runCase(plugin.calls, given, byType.get(typeNameOf(index))!));
  return results;
}

async function runCase(
  calls: ServiceClient<typeof ResourceProvider>,
  given: DiffCase,
  { token, object }: ResourceMapping,
): Promise<DiffCaseResult> {
  const urn = `urn:pulumi:dev::project::${token}::r`;
  const none = { inputs: {}, outputs: {}, planned: {} };
  try {
    const randomSeed = new Uint8Array(32);
    const before = await calls.check({ urn, news: inputsOf(object, given.old) as never, randomSeed });
    if (before.failures.length > 0) throw new Error(`old: ${before.failures.map(({ reason }) => reason).join("; ")}`);
    const created = await calls.create({ urn, properties: before.inputs! });
    const news = inputsOf(object, given.new) as never;
    const after = await calls.check({ urn, olds: before.inputs!, news, randomSeed });
    if (after.failures.length > 0) throw new Error(`new: ${after.failures.map(({ reason }) => reason).join("; ")}`);
    const change = {
      urn,
      id: created.id,
      olds: created.properties!,
      oldInputs: before.inputs!,
      news: after.inputs!,
      ignoreChanges: [...(given.ignoreChanges ?? [])],
    };
    const diff = await calls.diff(change);
    const detailed = Object.fromEntries(
      Object.entries(diff.detailedDiff)
        .map(([path, { kind }]) => [path, kindNames.get(kind)!] as const)
        .toSorted(([a], [b]) => (a < b ? -1 : 1)),
    );
    const changes = diff.changes === Changes.DIFF_NONE ? "none" : "some";
    const isReplacement = Object.values(detailed).some((kind) => kind.endsWith("replace"));
    const preview = isReplacement
      ? await calls.create({ urn, properties: after.inputs!, preview: true })
      : await calls.update({ ...change, preview: true });
    const trace = { inputs: after.inputs, outputs: created.properties, planned: preview.properties };
    return { given, changes, detailed, faults: faultsOf(given, changes, detailed), trace };
  } catch (error) {
    return { given, changes: "none", detailed: {}, faults: [error instanceof Error ? error.message : String(error)], trace: none };
  }
}

const kindNames: ReadonlyMap<Kind, CaseChange> = new Map([
  [Kind.ADD, "add"],
  [Kind.ADD_REPLACE, "add-replace"],
  [Kind.DELETE, "delete"],
  [Kind.DELETE_REPLACE, "delete-replace"],
  [Kind.UPDATE, "update"],
  [Kind.UPDATE_REPLACE, "update-replace"],
]);

function faultsOf(given: DiffCase, changes: "none" | "some", detailed: Readonly<Record<string, CaseChange>>): readonly string[] {
  const faults: string[] = [];
  const paths = [...new Set([...Object.keys(given.expected), ...Object.keys(detailed)])].toSorted();
  for (const path of paths) {
    const [expected, actual] = [given.expected[path] ?? "nothing", detailed[path] ?? "nothing"];
    if (expected !== actual) faults.push(`${path}: expected ${expected}, got ${actual}`);
  }
  const expected = given.changes ?? (Object.keys(given.expected).length === 0 ? "none" : "some");
  if (expected !== changes) faults.push(`expected ${expected} to change, got ${changes}`);
  return faults;
}
