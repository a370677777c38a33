// SPDX-License-Identifier: Apache-2.0
import type { Path, Value } from "@tenon/cty";
import { attributePaths, type Attribute, type Block } from "@tenon/schema";

/** Whether the schema marks an attribute as secret. */
export function isSecret(attribute: Attribute): boolean {
  return attribute.sensitive || attribute.writeOnly;
}

/**
 * The paths of the secrets in a value. A set that contains a secret is secret as a whole, because its elements are identified by content.
 */
export function secretPaths(block: Block, value: Value): readonly Path[] {
  return attributePaths(block, value, isSecret).map((path) => {
    const intoSet = path.findIndex((step) => step.kind === "index" && !["string", "number"].includes(step.key.type.kind));
    return intoSet === -1 ? path : path.slice(0, intoSet);
  });
}
