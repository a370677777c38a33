// SPDX-License-Identifier: Apache-2.0
import { goQuote } from "@tenon/cty/unstable/payload";
import type { ConfigurationGraph, GraphNode } from "./graph.ts";

type Edges = ReadonlyMap<string, ReadonlySet<string>>;

/**
 * Renders a graph in the DOT language of Graphviz, as `tofu graph` prints it for a configuration without a state.
 *
 * @see OpenTofu internal/dag/dot.go
 */
export function renderGraph({ nodes }: ConfigurationGraph): string {
  const used = usedNodes(nodes);
  const edges = reduced(withClosers(used));
  const quoted = (name: string): string => goQuote(`[root] ${name}`);
  const declared = used
    .flatMap((node) => {
      const shape = shapeOf(node);
      return shape === undefined ? [] : [`\t\t${quoted(node.name)} [label = ${goQuote(node.address)}, shape = "${shape}"]`];
    })
    .sort();
  const arrows = [...edges].flatMap(([from, targets]) => [...targets].map((to) => `\t\t${quoted(from)} -> ${quoted(to)}`)).sort();
  return `digraph {\n\tcompound = "true"\n\tnewrank = "true"\n\tsubgraph "root" {\n${[...declared, ...arrows].join("\n")}\n\t}\n}\n`;
}

/** The shape of a node that OpenTofu declares; others are only ends of arrows. */
function shapeOf({ kind, name, address }: GraphNode): string | undefined {
  if (kind === "resource") return "box";
  if (kind === "provider") return "diamond";
  return kind === "variable" && name === address ? "note" : undefined;
}

/** The nodes without providers that nothing uses. */
function usedNodes(nodes: readonly GraphNode[]): readonly GraphNode[] {
  const needed = new Set(nodes.flatMap(({ dependencies }) => dependencies));
  return nodes.filter(({ kind, name }) => kind !== "provider" || needed.has(name));
}

/** Adds the nodes that have no block: the ends of providers and ephemeral resources, the reports of checks, and the root. */
function withClosers(nodes: readonly GraphNode[]): Map<string, Set<string>> {
  const edges = new Map(nodes.map(({ name, dependencies }) => [name, new Set(dependencies)] as const));
  for (const { name, kind, address } of nodes) {
    if (kind === "check") {
      edges.get(name)!.add(`${address} (report)`);
      edges.set(`${address} (report)`, new Set());
    }
    const isEphemeral = /^(?:module\.[^.]+\.)*ephemeral\./.test(address) && kind === "resource";
    if (kind !== "provider" && !isEphemeral) continue;
    const users = nodes.filter(({ dependencies }) => dependencies.includes(name));
    edges.set(`${address} (close)`, new Set([name, ...users.map((user) => user.name)]));
  }
  edges.set("root", new Set(edges.keys()));
  return edges;
}

/** Removes the arrows that lead to what a node reaches through another of its arrows, too. */
function reduced(edges: ReadonlyMap<string, Set<string>>): Edges {
  const reachable = new Map<string, ReadonlySet<string>>();
  const reach = (start: string): ReadonlySet<string> => {
    const known = reachable.get(start);
    if (known !== undefined) return known;
    const found = new Set<string>();
    const waiting = [...(edges.get(start) ?? [])];
    for (let name = waiting.pop(); name !== undefined; name = waiting.pop()) {
      if (found.has(name)) continue;
      found.add(name);
      waiting.push(...(reachable.get(name) ?? edges.get(name) ?? []));
    }
    reachable.set(start, found);
    return found;
  };
  const result = new Map<string, ReadonlySet<string>>();
  for (const [name, targets] of edges) {
    const indirect = new Set([...targets].flatMap((target) => [...reach(target)]));
    result.set(name, new Set([...targets].filter((target) => !indirect.has(target))));
  }
  return result;
}
