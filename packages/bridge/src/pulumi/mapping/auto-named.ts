// SPDX-License-Identifier: Apache-2.0
import type { ObjectMapping } from "./mapping.ts";

/** Property that gets a name when the program sets none. */
export const nameProperty = "name";

/** Whether the type has a property `name` that is chosen where the program does not set it. */
export function hasAutoName(mapping: ObjectMapping): boolean {
  const property = mapping.byProperty.get(nameProperty);
  return property !== undefined && property.input && property.block === undefined && property.value.kind === "string";
}
