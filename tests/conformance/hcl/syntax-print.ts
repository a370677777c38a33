// SPDX-License-Identifier: Apache-2.0
/* Checks that a printed tree parses to the same tree. */
import { isValue, same } from "@tenon/cty";
import { HclError, parseConfig, parseExpression, parseTemplate, type BodySyntax, type Diagnostic } from "@tenon/hcl";
import { print, printTemplate, type WithoutRanges } from "@tenon/hcl/print";
import type { NativeExpression } from "@tenon/hcl/syntax";

type Tree = BodySyntax | NativeExpression;
type BuiltTree = WithoutRanges<Tree>;

interface Syntax {
  readonly name: string;
  readonly read: (source: string | Uint8Array) => { readonly tree: Tree; readonly diagnostics: readonly Diagnostic[] };
  readonly print: (tree: BuiltTree) => string;
}

const readExpression = (parse: typeof parseExpression): Syntax["read"] => {
  return (source) => {
    const { expression, diagnostics } = parse(source, "");
    return { tree: expression, diagnostics };
  };
};

const syntaxes: readonly Syntax[] = [
  {
    name: "body",
    read: (source) => {
      const { body, diagnostics } = parseConfig(source, "");
      return { tree: body, diagnostics };
    },
    print,
  },
  { name: "expression", read: readExpression(parseExpression), print },
  {
    name: "template",
    read: readExpression(parseTemplate),
    print: (tree) => printTemplate(tree as WithoutRanges<NativeExpression>),
  },
];

export interface PrintOutcome {
  /** Number of syntaxes in which the source is valid and was printed. */
  readonly printed: number;
  readonly problem?: string;
}

/** Parses a source in each syntax. If it is valid, prints the parsed tree, and the tree as a program would have built it. */
export function tryToPrint(source: string | Uint8Array): PrintOutcome {
  let printed = 0;
  for (const syntax of syntaxes) {
    const { tree, diagnostics } = syntax.read(source);
    if (diagnostics.length > 0) continue;
    const problem = problemWith(syntax, tree, (again) => again) ?? problemWith(syntax, withoutParentheses(tree), withoutParentheses);
    if (problem !== undefined) return { printed, problem: `the ${syntax.name}, ${problem}` };
    printed += 1;
  }
  return { printed };
}

/** The printed text must parse to the same tree, and that tree must print to the same text. */
function problemWith(syntax: Syntax, tree: BuiltTree, comparable: (again: Tree) => BuiltTree): string | undefined {
  const text = printedUnlessHuge(syntax, tree);
  if (text === undefined) return undefined;
  const again = syntax.read(text);
  const what = `printed as ${JSON.stringify(text)},`;
  if (again.diagnostics.length > 0) return `${what} has an error: ${JSON.stringify(again.diagnostics[0])}`;
  if (!isSameTree(comparable(again.tree), tree)) return `${what} parses to another tree`;
  const twice = syntax.print(again.tree);
  return twice === text ? undefined : `${what} is then printed as ${JSON.stringify(twice)}`;
}

/** Printed text; undefined for the only tree that parses but cannot be printed: a number of more than ten thousand digits. */
function printedUnlessHuge(syntax: Syntax, tree: BuiltTree): string | undefined {
  try {
    return syntax.print(tree);
  } catch (error) {
    if (error instanceof HclError && error.message.startsWith("a number this large")) return undefined;
    throw error;
  }
}

const isRangeField = (name: string): boolean => /[rR]anges?$/.test(name);

/** Whether two trees have the same nodes and values, regardless of their ranges. */
function isSameTree(one: unknown, other: unknown): boolean {
  if (typeof one !== "object" || one === null) return one === other;
  if (typeof other !== "object" || other === null) return false;
  if (isValue(one)) return isValue(other) && one.type === other.type && same(one, other);
  if (one instanceof Map) return other instanceof Map && isSameTree([...one], [...other]);
  const [fields, others] = [Object.entries(one), Object.entries(other)].map((all) => all.filter(([name]) => !isRangeField(name)));
  const found = new Map(others);
  return fields!.length === found.size && fields!.every(([name, value]) => found.has(name) && isSameTree(value, found.get(name)));
}

/** The tree as a program builds it: without ranges, and without parentheses, which the printer adds where operators need them. */
function withoutParentheses(tree: Tree): BuiltTree {
  return rebuilt(tree, new Map()) as BuiltTree;
}

/** @param made the copy of each node: a splat refers to its element by identity, so a node must be copied once. */
function rebuilt(node: unknown, made: Map<unknown, object>): unknown {
  if (typeof node !== "object" || node === null || isValue(node)) return node;
  if (node instanceof Map) return new Map(Array.from(node as Map<unknown, unknown>, ([name, item]) => [name, rebuilt(item, made)]));
  if (Array.isArray(node)) return node.map((item: unknown) => rebuilt(item, made));
  if ("kind" in node && node.kind === "parentheses" && "inner" in node) return rebuilt(node.inner, made);
  const copy = made.get(node) ?? {};
  made.set(node, copy);
  for (const [name, value] of Object.entries(node)) if (!isRangeField(name)) Object.assign(copy, { [name]: rebuilt(value, made) });
  return copy;
}
