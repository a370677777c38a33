// SPDX-License-Identifier: Apache-2.0
import type { ObjectMapping } from "./mapping.ts";

/** The property for which the bridge chooses a name if the program sets none. */
export const nameProperty = "name";

/** Whether the bridge chooses the property `name` of a type if the program does not set it. */
export function hasAutoName({ properties }: ObjectMapping): boolean {
  const named = properties.find(({ property }) => property === nameProperty);
  return named !== undefined && named.input && named.block === undefined && named.value.kind === "string";
}
