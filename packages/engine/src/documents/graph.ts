// SPDX-License-Identifier: Apache-2.0
import type { DependencyGraph } from "../evaluation/dependency-graph.ts";
import type { DependencyNode, NodePart } from "../evaluation/dependency-node.ts";

/** What a node of a graph stands for. A module call has two nodes: its beginning and its end. */
export type GraphNodeKind = "variable" | "local" | "output" | "check" | "module" | "resource" | "provider";

/** A block of a configuration, and what it depends on. */
export interface GraphNode {
  /** Identifies the node, as OpenTofu names it: `module.a.var.b (expand, input)`, `terraform_data.c (expand)`. */
  readonly name: string;
  readonly kind: GraphNodeKind;
  /** Address of the block: `module.a.var.b`. */
  readonly address: string;
  /** Names of the nodes that it depends on directly, sorted. */
  readonly dependencies: readonly string[];
}

/** What depends on what in a configuration: whole blocks, and not their instances. */
export interface ConfigurationGraph {
  /** Sorted by name. */
  readonly nodes: readonly GraphNode[];
}

const kinds: Readonly<Record<NodePart, GraphNodeKind>> = {
  variable: "variable",
  variableValidation: "variable",
  local: "local",
  output: "output",
  check: "check",
  moduleStart: "module",
  moduleEnd: "module",
  resource: "resource",
  provider: "provider",
};

/** The graph as plain data. */
export function graphOf(graph: DependencyGraph): ConfigurationGraph {
  const nodes = [...graph.nodes].map((node) => ({
    name: nameOf(node),
    kind: kinds[node.part],
    address: node.name.replace(/ \([a-z, ]*\)$/, ""),
    dependencies: [...node.dependencies].map(nameOf).sort(),
  }));
  return { nodes: nodes.sort((a, b) => (a.name < b.name ? -1 : 1)) };
}

function nameOf({ part, name }: DependencyNode): string {
  return part === "resource" ? `${name} (expand)` : name;
}
