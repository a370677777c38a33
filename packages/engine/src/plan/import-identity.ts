// SPDX-License-Identifier: Apache-2.0
import { object, optional, type Type } from "@tenon/cty";
import type { IdentitySchema } from "@tenon/schema";

/** The type of the `identity` argument of an `import` block, in which the attributes that an import does not need are optional. */
export function importIdentityType({ attributes }: IdentitySchema): Type {
  const types = Object.entries(attributes).map(
    ([name, { type, requiredForImport }]) => [name, requiredForImport ? type : optional(type)] as const,
  );
  return object(Object.fromEntries(types));
}
