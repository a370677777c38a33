// SPDX-License-Identifier: Apache-2.0
/* What is printed must be read as what it was printed from. */
import { isValue, same } from "@tenon/cty";
import {
  HclError,
  parseConfig,
  parseExpression,
  parseTemplate,
  print,
  printTemplate,
  type BodySyntax,
  type Diagnostic,
  type NativeExpression,
  type WithoutRanges,
} from "@tenon/hcl";

type Tree = BodySyntax | NativeExpression;
type BuiltTree = WithoutRanges<Tree>;

interface Way {
  readonly name: string;
  readonly read: (source: string | Uint8Array) => { readonly tree: Tree; readonly diagnostics: readonly Diagnostic[] };
  readonly print: (tree: BuiltTree) => string;
}

const readExpression = (parse: typeof parseExpression): Way["read"] => {
  return (source) => {
    const { expression, diagnostics } = parse(source, "");
    return { tree: expression, diagnostics };
  };
};

const ways: readonly Way[] = [
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
  /** In how many ways the source could be read without an error, and was printed. */
  readonly printed: number;
  readonly problem?: string;
}

/** Reads a source in every way there is; what has no errors is printed, as it was read and as a program would have built it. */
export function tryToPrint(source: string | Uint8Array): PrintOutcome {
  let printed = 0;
  for (const way of ways) {
    const { tree, diagnostics } = way.read(source);
    if (diagnostics.length > 0) continue;
    const problem = problemWith(way, tree, (again) => again) ?? problemWith(way, withoutParentheses(tree), withoutParentheses);
    if (problem !== undefined) return { printed, problem: `the ${way.name}, ${problem}` };
    printed += 1;
  }
  return { printed };
}

/** Printed, it must be read as the same tree, and that be printed as the same text. */
function problemWith(way: Way, tree: BuiltTree, comparable: (again: Tree) => BuiltTree): string | undefined {
  const text = printedUnlessHuge(way, tree);
  if (text === undefined) return undefined;
  const again = way.read(text);
  const what = `printed as ${JSON.stringify(text)},`;
  if (again.diagnostics.length > 0) return `${what} is not read: ${JSON.stringify(again.diagnostics[0])}`;
  if (!isSameTree(comparable(again.tree), tree)) return `${what} is read as another tree`;
  const twice = way.print(again.tree);
  return twice === text ? undefined : `${what} is then printed as ${JSON.stringify(twice)}`;
}

/** Undefined for the one thing that can be read and not printed: a number of more than ten thousand digits. */
function printedUnlessHuge(way: Way, tree: BuiltTree): string | undefined {
  try {
    return way.print(tree);
  } catch (error) {
    if (error instanceof HclError && error.message.startsWith("a number that large")) return undefined;
    throw error;
  }
}

const isPlace = (name: string): boolean => /[rR]anges?$/.test(name);

/** The same nodes and values, wherever they stand. */
function isSameTree(one: unknown, other: unknown): boolean {
  if (typeof one !== "object" || one === null) return one === other;
  if (typeof other !== "object" || other === null) return false;
  if (isValue(one)) return isValue(other) && one.type === other.type && same(one, other);
  if (one instanceof Map) return other instanceof Map && isSameTree([...one], [...other]);
  const [fields, others] = [Object.entries(one), Object.entries(other)].map((all) => all.filter(([name]) => !isPlace(name)));
  const found = new Map(others);
  return fields!.length === found.size && fields!.every(([name, value]) => found.has(name) && isSameTree(value, found.get(name)));
}

/** The tree as a program builds it: no ranges, and no parentheses, which printing adds where operators need them. */
function withoutParentheses(tree: Tree): BuiltTree {
  return rebuilt(tree, new Map()) as BuiltTree;
}

/** @param made for each node what it was made to: a splat knows its element by its identity. */
function rebuilt(node: unknown, made: Map<unknown, object>): unknown {
  if (typeof node !== "object" || node === null || isValue(node)) return node;
  if (node instanceof Map) return new Map(Array.from(node as Map<unknown, unknown>, ([name, item]) => [name, rebuilt(item, made)]));
  if (Array.isArray(node)) return node.map((item: unknown) => rebuilt(item, made));
  if ("kind" in node && node.kind === "parentheses" && "inner" in node) return rebuilt(node.inner, made);
  const copy = made.get(node) ?? {};
  made.set(node, copy);
  for (const [name, value] of Object.entries(node)) if (!isPlace(name)) Object.assign(copy, { [name]: rebuilt(value, made) });
  return copy;
}
