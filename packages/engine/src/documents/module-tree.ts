// SPDX-License-Identifier: Apache-2.0
import { formatModuleInstance, type ModuleInstance } from "../address/module.ts";
import type { JsonTree } from "../state/json-tree.ts";

interface ModuleNode {
  readonly resources: JsonTree[];
  readonly children: Map<string, ModuleNode>;
}

/** Nests the JSON of resources by module instance, as in plan and state JSON: modules within modules, ordered by address. */
export function moduleTree(resources: Iterable<readonly [ModuleInstance, JsonTree]>): JsonTree {
  const root: ModuleNode = { resources: [], children: new Map() };
  for (const [module, resource] of resources) {
    let node = root;
    for (let length = 1; length <= module.length; length++) {
      const address = formatModuleInstance(module.slice(0, length));
      let child = node.children.get(address);
      if (child === undefined) node.children.set(address, (child = { resources: [], children: new Map() }));
      node = child;
    }
    node.resources.push(resource);
  }
  return moduleJson(root);
}

function moduleJson({ resources, children }: ModuleNode, address?: string): Readonly<Record<string, JsonTree>> {
  const sorted = [...children].sort(([a], [b]) => (a < b ? -1 : 1));
  return {
    ...(resources.length > 0 && { resources }),
    ...(address !== undefined && { address }),
    ...(sorted.length > 0 && { child_modules: sorted.map(([childAddress, child]) => moduleJson(child, childAddress)) }),
  };
}
