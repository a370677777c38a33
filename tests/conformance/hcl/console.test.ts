// SPDX-License-Identifier: Apache-2.0
// Compares the value, the type and the JSON of expressions with those that `tofu console` prints.
import { containsMarked, isWhollyKnown, type Value } from "@tenon/cty";
import { jsonEncodeFunc } from "@tenon/cty/stdlib";
import { openWorkspace, type ConsoleResult } from "@tenon/engine";
import { objectFiles } from "@tenon/engine/configuration";
import { formatConsoleType, formatConsoleValue } from "@tenon/engine/documents";
import { parseExpression, rootName, type Expression, type Traversal } from "@tenon/hcl";
import { calledFunctions, variables } from "@tenon/hcl/analysis";
import { describePeer } from "@tenon/peers/vitest";
import { test } from "vitest";
import { randomFor } from "@tenon/testing/generate";
import { consoleExpressions, localValues } from "./console-expressions.ts";
import { consoleConfiguration, evaluateInConsole } from "./console-subject.ts";
import { CoreFolder } from "./core-folder.ts";
import { ExpressionMaker } from "./generate/expression.ts";
import type { Variable } from "./generate/scope.ts";

/** Expressions for which OpenTofu's result differs, and the reason. */
const differences: readonly (readonly [reason: string, sources: readonly string[]])[] = [
  [
    "OpenTofu treats the names in a type expression as references before it calls the function that reads the type",
    ['convert("5", number)', "convert([1, 2], set(string))"],
  ],
  ["OpenTofu has its own tolist, which keeps the marks on the elements", ["tolist([var.secret])"]],
];

const known: readonly Variable[] = [
  { name: "local.n", type: "number" },
  { name: "local.m", type: "number" },
  { name: "local.s", type: "string" },
  { name: "local.yes", type: "bool" },
  { name: "local.names", type: ["list", "string"] },
  { name: "local.nums", type: ["list", "number"] },
  { name: "local.ids", type: ["set", "string"] },
  { name: "local.tags", type: ["map", "string"] },
  { name: "local.item", type: ["object", { name: "string", size: "number" }] },
  { name: "local.items", type: ["list", ["object", { name: "string", size: "number" }]] },
  { name: "local.pair", type: ["tuple", ["string", "number"]] },
];

const callsIn = (expression: Expression): string[] => calledFunctions(expression).map(({ name }) => name);
/** Functions that OpenTofu takes from go-cty: those that the picked expressions call, except OpenTofu's own. */
const shared: ReadonlySet<string> = new Set(
  Object.values(consoleExpressions)
    .flat()
    .flatMap((source) => callsIn(parseExpression(source, "").expression))
    .filter((name) => !["length", "replace", "convert"].includes(name)),
);

/** Generated one-line expressions that evaluate without errors, to values that JSON can represent. */
function generated(count: number): string[] {
  const found: string[] = [];
  for (let index = 0; found.length < count; index++) {
    const random = randomFor(20_261_122, "console", index);
    const source = new ExpressionMaker(random, known, 3 + random.int(12)).expression();
    if (/\n|^local\.\w+$/.test(source) || source.length < 12) continue;
    // OpenTofu checks references before it evaluates anything, so it rejects an invalid one even in a branch that is never evaluated.
    const { expression, diagnostics } = parseExpression(source, "");
    if (diagnostics.length > 0 || !variables(expression).every(isLocal) || !callsIn(expression).every((name) => shared.has(name))) continue;
    if (evaluateInConsole(`jsonencode(${source})`).diagnostics.length === 0) found.push(source);
  }
  return found;
}

function isLocal(traversal: Traversal): boolean {
  const [, step] = traversal;
  return rootName(traversal) === "local" && step?.kind === "attribute" && Object.hasOwn(localValues, step.name);
}

interface Printed {
  readonly value: string;
  readonly type: string;
  readonly json: string;
}

/** Evaluates expressions with `tofu console`. Starts a new process after each error, because an error ends the console. */
async function runConsole(folder: CoreFolder, sources: readonly string[]): Promise<readonly (Printed | string)[]> {
  const answers: (Printed | string)[] = [];
  while (answers.length < sources.length) {
    const left = sources.slice(answers.length);
    const mark = (index: number): string => `"<<${index}>>"\n`;
    const input = left.map(
      (source, index) => `${mark(index)}${source}\n${mark(index)}type(${source})\n${mark(index)}jsonencode(${source})\n`,
    );
    const { stdout, stderr } = await folder.run(["console", "-no-color"], input.join("") + mark(left.length));
    const parts = stdout.split(/^"<<(\d+)>>"\n/m).slice(1);
    const complete = Math.floor((parts.length / 2 - 1) / 3);
    for (let index = 0; index < complete; index++) {
      const [value, type, json] = [1, 3, 5].map((offset) => parts[6 * index + offset]!.replace(/\n$/, ""));
      answers.push({ value: value!, type: type!, json: json! });
    }
    if (complete < left.length) answers.push(stderr);
  }
  return answers;
}

function printedByUs(value: Value): Printed {
  const isOpen = isWhollyKnown(value) && !containsMarked(value);
  return {
    value: formatConsoleValue(value),
    type: formatConsoleType(value.type),
    json: isOpen ? formatConsoleValue(jsonEncodeFunc.call([value])) : "",
  };
}

describePeer(["tofu"], "tofu console", ({ tofu }) => {
  test("prints the same value, type and JSON for more than three hundred expressions", { timeout: 240_000 }, async ({ expect }) => {
    const picked = Object.values(consoleExpressions).flat();
    const sources = [...picked, ...generated(100)];
    expect(picked.length).toBeGreaterThanOrEqual(300);
    using folder = new CoreFolder(tofu.path);
    folder.write("main.tf", consoleConfiguration);
    const answers = await runConsole(folder, sources);
    const mismatches: unknown[] = [];
    for (const [index, source] of sources.entries()) {
      const theirs = answers[index]!;
      const { value, diagnostics } = evaluateInConsole(source);
      const ours = diagnostics.length === 0 ? printedByUs(value) : `Error: ${diagnostics[0]!.summary} ${diagnostics[0]!.detail}`;
      const isNamed = differences.some(([, named]) => named.includes(source));
      if (isSame(ours, theirs) === isNamed) mismatches.push({ source, theirs, ours });
    }
    console.log(`${sources.length} expressions, ${picked.length} of them picked, for ${Object.keys(consoleExpressions).length} constructs`);
    expect(mismatches).toEqual([]);
    expect(await mismatchesOfEngine(sources, answers)).toEqual([]);
  });
});

/** The expressions for which a console of the engine prints something else than tofu. */
async function mismatchesOfEngine(sources: readonly string[], answers: readonly (Printed | string)[]): Promise<readonly unknown[]> {
  const workspace = openWorkspace({ configuration: objectFiles({ "main.tf": consoleConfiguration }) });
  await using session = await workspace.console();
  const textOf = ({ text, diagnostics: [first] }: ConsoleResult): string => text ?? `Error: ${first?.summary} ${first?.detail}`;
  const mismatches: unknown[] = [];
  for (const [index, source] of sources.entries()) {
    const theirs = answers[index]!;
    const value = textOf(await session.evaluate(source));
    const ours = value.startsWith("Error: ") ? value : { value, type: textOf(await session.evaluate(`type(${source})`)), json: "" };
    if (!isSame(ours, theirs)) mismatches.push({ source, theirs, ours });
  }
  return mismatches;
}

/** Whether the results are equal. Errors are equal if OpenTofu's text, without the source location, starts with ours. */
function isSame(ours: Printed | string, theirs: Printed | string): boolean {
  if (typeof theirs !== "string" && typeof ours !== "string")
    return theirs.value === ours.value && theirs.type === ours.type && (ours.json === "" || theirs.json === ours.json);
  const theirText = String(theirs)
    .replace(/ on <console-input> line \d+:\s+\(source code not available\)/, "")
    .replace(/\s+/g, " ");
  return typeof theirs === "string" && typeof ours === "string" && theirText.trim().startsWith(ours.replace(/\s+/g, " "));
}
