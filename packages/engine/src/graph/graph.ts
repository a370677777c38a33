// SPDX-License-Identifier: Apache-2.0

/** What a node of a graph stands for. A module call has two nodes: its beginning and its end. */
export type GraphNodeKind = "variable" | "local" | "output" | "check" | "module" | "resource" | "provider";

/**
 * The operation of a graph. `apply` also destroys; its graph has the changes of a plan, and none of them if there is no plan. The names are those
 * of `tofu graph -type`.
 */
export type GraphType = "plan" | "plan-refresh-only" | "plan-destroy" | "apply";

/** A block of a configuration or an object of a state, and what it waits for. */
export interface GraphNode {
  /** Identifies the node, as OpenTofu names it: `module.a.var.b (expand, input)`, `terraform_data.c[0] (destroy)`. */
  readonly name: string;
  readonly kind: GraphNodeKind;
  /** Address of the block, also for an object: `module.a.var.b`, `terraform_data.c`. */
  readonly address: string;
  /** Address of the resource instance, if the node stands for one of its objects. */
  readonly instance?: string;
  /** Names of the nodes that it depends on directly, sorted. */
  readonly dependencies: readonly string[];
}

/** What depends on what in an operation: whole blocks of the configuration, and single objects where the operation is about them. */
export interface OperationGraph {
  /** Sorted by name. */
  readonly nodes: readonly GraphNode[];
}
