// SPDX-License-Identifier: Apache-2.0
import { object, optional, type Type } from "@tenon/cty";
import type { IdentitySchema } from "@tenon/schema";

/** The type of the `identity` of an `import` block: attributes that an import does not need may be left out. */
export function importIdentityType({ attributes }: IdentitySchema): Type {
  const types = Object.entries(attributes).map(
    ([name, { type, requiredForImport }]) => [name, requiredForImport ? type : optional(type)] as const,
  );
  return object(Object.fromEntries(types));
}
