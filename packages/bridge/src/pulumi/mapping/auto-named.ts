// SPDX-License-Identifier: Apache-2.0
import type { ObjectMapping } from "./mapping.ts";

/** The property for which the bridge chooses a name if the program sets none. */
export const nameProperty = "name";

/** Whether the bridge chooses the property `name` of a type if the program does not set it. */
export function hasAutoName(mapping: ObjectMapping): boolean {
  const property = mapping.byProperty.get(nameProperty);
  return property !== undefined && property.input && property.block === undefined && property.value.kind === "string";
}
