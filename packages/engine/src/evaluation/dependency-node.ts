// SPDX-License-Identifier: Apache-2.0
import { formatInModulePath } from "../address/module.ts";
import type { ProviderConfig } from "../address/provider-config.ts";
import type { Reference } from "../address/reference.ts";
import { formatResource, type ConfigResource } from "../address/resource.ts";
import type { Configuration } from "../configuration/configuration.ts";
import type { ResourceBlock } from "../configuration/resource.ts";

/** The kind of a node. A variable has two nodes: its value, and its validation, on which all references to the variable depend. */
export type NodePart =
  | "variable"
  | "variableValidation"
  | "local"
  | "output"
  | "check"
  | "moduleStart"
  | "moduleEnd"
  | "resource"
  | "provider";

/** A block of the configuration, or the start or end of a module call, with its dependencies. */
export interface DependencyNode {
  /** The name in OpenTofu's errors about cycles: `local.a (expand)`, `module.b.var.c (expand, reference)`. */
  readonly name: string;
  readonly part: NodePart;
  /** Name of a variable, local value, output, check or module call in its module. */
  readonly local?: string;
  /** The module that contains the block or the module call. */
  readonly module?: Configuration;
  readonly dependencies: Set<DependencyNode>;
  /** Only for a resource. */
  readonly resource?: ConfigResource;
  /** Only for a resource. */
  readonly block?: ResourceBlock;
  /** Only for a provider. */
  readonly provider?: ProviderConfig;
  /** Whether it is an output of the root module. */
  readonly isRootOutput?: boolean;
  /** Whether it is the validation of a variable that has rules. */
  readonly isValidated?: boolean;
}

/** The key of a resource's node. */
export function resourceNodeKey({ module, resource }: ConfigResource): string {
  return formatInModulePath(module, formatResource(resource));
}

/** The node to which a reference in a module leads; undefined if there is none. */
export function targetNode(
  nodes: ReadonlyMap<string, DependencyNode>,
  { path }: Configuration,
  { subject }: Reference,
): DependencyNode | undefined {
  const at = (local: string): DependencyNode | undefined => nodes.get(formatInModulePath(path, local));
  switch (subject.kind) {
    case "variable":
      return at(`var.${subject.name} (reference)`);
    case "local":
      return at(`local.${subject.name}`);
    case "resource":
    case "resourceInstance":
      return at(formatResource(subject.resource));
    case "moduleCall":
    case "moduleCallInstance":
      return at(`module.${subject.name} (close)`);
    case "moduleOutput":
      return nodes.get(formatInModulePath([...path, subject.call], `output.${subject.name}`));
    default:
      return undefined;
  }
}
