// SPDX-License-Identifier: Apache-2.0
import { BridgeError } from "../../error.ts";
import { componentFilter, type ProviderSelection } from "../../provider/provider-selection.ts";
import { componentSchemas, type ComponentSchemas } from "../mapping/component-name.ts";
import type { ComponentOptions } from "../mapping/map-components.ts";
import type { ComponentArguments } from "./component-flags.ts";

/** Returns the resource types that a selection includes. @throws BridgeError `INVALID_ARGUMENTS` if the provider lacks one. */
export function selectedResources(typeNames: Iterable<string>, selection: ProviderSelection, address: string): readonly string[] {
  const known = new Set(typeNames);
  const unknown = selection.includes.filter((name) => !known.has(name));
  if (unknown.length > 0) throw new BridgeError("INVALID_ARGUMENTS", `${address} has no resource type ${unknown.join(", ")}`);
  return [...known].filter(componentFilter(selection));
}

/** Returns the components that arguments select. */
export function selectedComponents(
  schemas: ComponentSchemas,
  components: readonly ComponentArguments[],
): Pick<ComponentOptions, ComponentArguments["component"]> {
  return Object.fromEntries(
    components.map(({ component, names }) => [component, names === "all" ? [...schemas[componentSchemas[component]].keys()] : names]),
  );
}
