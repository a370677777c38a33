// SPDX-License-Identifier: Apache-2.0
import type { Path, Value } from "@tenon/cty";
import { attributePaths, type Attribute, type Block } from "@tenon/schema";

/** What must not be told, by the schema. */
export function isSecret(attribute: Attribute): boolean {
  return attribute.sensitive || attribute.writeOnly;
}

/** Where a value's secrets are. A set with a secret in it is one as a whole, since its elements are found by what they hold. */
export function secretPaths(block: Block, value: Value): readonly Path[] {
  return attributePaths(block, value, isSecret).map((path) => {
    const intoSet = path.findIndex((step) => step.kind === "index" && !["string", "number"].includes(step.key.type.kind));
    return intoSet === -1 ? path : path.slice(0, intoSet);
  });
}
