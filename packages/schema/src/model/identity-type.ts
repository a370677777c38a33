// SPDX-License-Identifier: Apache-2.0
import { object, type ObjectType, type Type } from "@tenon/cty";
import type { IdentitySchema } from "./identity-schema.ts";

const identityTypes = new WeakMap<IdentitySchema, ObjectType>();

/** Returns the type of identity values. Computed once for each schema. */
export function identityType(schema: IdentitySchema): ObjectType {
  const known = identityTypes.get(schema);
  if (known !== undefined) return known;
  const types = Object.create(null) as Record<string, Type>;
  for (const name of Object.keys(schema.attributes)) types[name] = schema.attributes[name]!.type;
  const type: ObjectType = object(types);
  identityTypes.set(schema, type);
  return type;
}
