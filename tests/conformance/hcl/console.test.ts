// SPDX-License-Identifier: Apache-2.0
// Expressions as `tofu console` evaluates them: printed, their types, and as JSON.
import { containsMarked, isWhollyKnown, type Value } from "@tenon/cty";
import { jsonEncodeFunc } from "@tenon/cty/stdlib";
import { calledFunctions, parseExpression, rootName, variables, type Expression, type Traversal } from "@tenon/hcl";
import { describePeer } from "@tenon/peers/vitest";
import { test } from "vitest";
import { randomFor } from "../cty/random.ts";
import { consoleExpressions, localValues } from "./console-expressions.ts";
import { consoleConfiguration, evaluated } from "./console-subject.ts";
import { consoleType, consoleValue } from "./console-text.ts";
import { CoreFolder } from "./core-folder.ts";
import { ExpressionMaker } from "./generate/expression.ts";
import type { Variable } from "./generate/scope.ts";

/** Where OpenTofu answers otherwise, and why. */
const differences: readonly (readonly [reason: string, sources: readonly string[]])[] = [
  [
    "OpenTofu takes the names in a type for references, before the function that reads it is asked",
    ['convert("5", number)', "convert([1, 2], set(string))"],
  ],
  ["OpenTofu has its own tolist, which leaves marks with the elements", ["tolist([var.secret])"]],
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
/** Functions that OpenTofu has from go-cty: those that picked expressions call, but for its own. */
const shared: ReadonlySet<string> = new Set(
  Object.values(consoleExpressions)
    .flat()
    .flatMap((source) => callsIn(parseExpression(source, "").expression))
    .filter((name) => !["length", "replace", "convert"].includes(name)),
);

/** Expressions in one line that come to something, and to something that JSON can hold. */
function generated(count: number): string[] {
  const found: string[] = [];
  for (let index = 0; found.length < count; index++) {
    const random = randomFor(20_261_122, "console", index);
    const source = new ExpressionMaker(random, known, 3 + random.int(12)).expression();
    if (/\n|^local\.\w+$/.test(source) || source.length < 12) continue;
    // OpenTofu looks at names before anything is evaluated, and so finds wrong ones where nobody asks for their value.
    const { expression, diagnostics } = parseExpression(source, "");
    if (diagnostics.length > 0 || !variables(expression).every(isLocal) || !callsIn(expression).every((name) => shared.has(name))) continue;
    if (evaluated(`jsonencode(${source})`).diagnostics.length === 0) found.push(source);
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

/** What a console says of expressions, in as many processes as there are errors, and one. */
async function askConsole(folder: CoreFolder, sources: readonly string[]): Promise<readonly (Printed | string)[]> {
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
  return { value: consoleValue(value), type: consoleType(value.type), json: isOpen ? consoleValue(jsonEncodeFunc.call([value])) : "" };
}

describePeer(["tofu"], "tofu console", ({ tofu }) => {
  test("evaluates more than three hundred expressions as we do", { timeout: 240_000 }, async ({ expect }) => {
    const picked = Object.values(consoleExpressions).flat();
    const sources = [...picked, ...generated(100)];
    expect(picked.length).toBeGreaterThanOrEqual(300);
    using folder = new CoreFolder(tofu.path);
    folder.write("main.tf", consoleConfiguration);
    const answers = await askConsole(folder, sources);
    const otherwise: unknown[] = [];
    for (const [index, source] of sources.entries()) {
      const theirs = answers[index]!;
      const { value, diagnostics } = evaluated(source);
      const ours = diagnostics.length === 0 ? printedByUs(value) : `Error: ${diagnostics[0]!.summary} ${diagnostics[0]!.detail}`;
      const isNamed = differences.some(([, named]) => named.includes(source));
      if (isSame(ours, theirs) === isNamed) otherwise.push({ source, theirs, ours });
    }
    console.log(`${sources.length} expressions, ${picked.length} of them picked, of ${Object.keys(consoleExpressions).length} sorts`);
    expect(otherwise).toEqual([]);
  });
});

/** Errors are the same if ours, which stands alone, is the first of theirs, which tell of the place too. */
function isSame(ours: Printed | string, theirs: Printed | string): boolean {
  if (typeof theirs !== "string" && typeof ours !== "string")
    return theirs.value === ours.value && theirs.type === ours.type && (ours.json === "" || theirs.json === ours.json);
  const told = String(theirs)
    .replace(/ on <console-input> line \d+:\s+\(source code not available\)/, "")
    .replace(/\s+/g, " ");
  return typeof theirs === "string" && typeof ours === "string" && told.trim().startsWith(ours.replace(/\s+/g, " "));
}
