// SPDX-License-Identifier: Apache-2.0
import { compareCodePoints, goQuote } from "@tenon/cty/unstable/payload";
import type { GraphNode, OperationGraph } from "../graph/graph.ts";

type Edges = ReadonlyMap<string, ReadonlySet<string>>;

/**
 * Renders a graph in the DOT language of Graphviz, as `tofu graph` prints it.
 *
 * @see OpenTofu internal/dag/dot.go
 */
export function renderGraph({ nodes }: OperationGraph): string {
  const edges = reduced(withClosers(nodes));
  const quoted = (name: string): string => goQuote(`[root] ${name}`);
  const declared = nodes
    .toSorted((a, b) => compareCodePoints(a.name, b.name))
    .flatMap((node) => {
      const shape = shapeOf(node);
      if (shape === undefined) return [];
      const label = node.kind === "output" ? node.name : node.address;
      return [`\t\t${quoted(node.name)} [label = ${goQuote(label)}, shape = "${shape}"]`];
    });
  const arrows = [...edges].flatMap(([from, targets]) => [...targets].map((to) => `\t\t${quoted(from)} -> ${quoted(to)}`)).sort();
  return `digraph {\n\tcompound = "true"\n\tnewrank = "true"\n\tsubgraph "root" {\n${[...declared, ...arrows].join("\n")}\n\t}\n}\n`;
}

/** The shape of a node that OpenTofu declares; others are only ends of arrows. */
function shapeOf({ kind, name, address }: GraphNode): string | undefined {
  if (kind === "resource") return "box";
  if (kind === "provider") return "diamond";
  return (kind === "variable" && name === address) || (kind === "output" && name.endsWith(" (destroy)")) ? "note" : undefined;
}

/** Adds the nodes that stand for no block and no object: the ends of providers and of ephemeral resources, and the root. */
function withClosers(nodes: readonly GraphNode[]): Map<string, Set<string>> {
  const edges = new Map(nodes.map(({ name, dependencies }) => [name, new Set(dependencies)] as const));
  const users = new Map<string, GraphNode[]>(nodes.map(({ name }) => [name, []]));
  // The ends of modules wait for all nodes of the module, but use none.
  const referrers = nodes.filter(({ kind, name }) => kind !== "module" || !name.endsWith(" (close)"));
  for (const node of referrers) for (const dependency of node.dependencies) users.get(dependency)?.push(node);
  const ends = new Map<string, ReadonlySet<string>>();
  for (const { name, kind, address, dependencies } of nodes) {
    const isEphemeral = /^(?:module\.[^.]+\.)*ephemeral\./.test(address) && kind === "resource";
    if (isEphemeral) ends.set(`${address} (close)`, new Set([name, ...dependencies, ...allUsers(name, users)]));
  }
  for (const [end, targets] of ends) edges.set(end, new Set(targets));
  // A provider closes after the ephemeral resources that it opened, and after those that its configuration uses.
  for (const { name } of nodes.filter(({ kind }) => kind === "provider")) {
    const closing = [...ends].filter(([, targets]) => targets.has(name)).map(([end]) => end);
    edges.set(`${name} (close)`, new Set([name, ...users.get(name)!.map((user) => user.name), ...closing]));
  }
  const used = new Set([...edges.values()].flatMap((targets) => [...targets]));
  edges.set("root", new Set([...edges.keys()].filter((name) => !used.has(name))));
  return edges;
}

/** The names of the nodes that use a node, directly or through others. */
function allUsers(name: string, users: ReadonlyMap<string, readonly GraphNode[]>): ReadonlySet<string> {
  const found = new Set<string>();
  const waiting = [name];
  for (let one = waiting.pop(); one !== undefined; one = waiting.pop()) {
    for (const user of users.get(one) ?? []) {
      if (found.has(user.name)) continue;
      found.add(user.name);
      waiting.push(user.name);
    }
  }
  return found;
}

/** Removes the arrows that lead to what a node reaches through another of its arrows, too. */
function reduced(edges: ReadonlyMap<string, ReadonlySet<string>>): Edges {
  const order = dependenciesFirst(edges);
  const indices = new Map(order.map((name, index) => [name, index]));
  /** For each node, a set of bits: the nodes that it reaches. */
  const reached: Uint32Array[] = [];
  const result = new Map<string, ReadonlySet<string>>();
  for (const name of order) {
    const targets = [...edges.get(name)!];
    const indirect = new Uint32Array((order.length + 31) >>> 5);
    for (const target of targets) {
      const bits = reached[indices.get(target)!];
      if (bits !== undefined) for (let word = 0; word < bits.length; word++) indirect[word]! |= bits[word]!;
    }
    const isIndirect = (target: string): boolean => {
      const index = indices.get(target)!;
      return (indirect[index >>> 5]! & (1 << (index & 31))) !== 0;
    };
    result.set(name, new Set(targets.filter((target) => !isIndirect(target))));
    for (const target of targets) {
      const index = indices.get(target)!;
      indirect[index >>> 5]! |= 1 << (index & 31);
    }
    reached.push(indirect);
  }
  return result;
}

/** The names of the nodes, each after those that it depends on. */
function dependenciesFirst(edges: ReadonlyMap<string, ReadonlySet<string>>): readonly string[] {
  const ordered = new Set<string>();
  const entered = new Set<string>();
  const waiting = [...edges.keys()];
  for (let name = waiting.at(-1); name !== undefined; name = waiting.at(-1)) {
    const open = entered.has(name) ? [] : [...edges.get(name)!].filter((target) => !entered.has(target));
    entered.add(name);
    waiting.push(...open);
    if (open.length > 0) continue;
    ordered.add(name);
    waiting.pop();
  }
  return [...ordered];
}
