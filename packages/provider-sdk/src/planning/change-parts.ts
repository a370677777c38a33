// SPDX-License-Identifier: Apache-2.0
import type { Path, Value } from "@tenon/cty";
import type { ObjectShape } from "../shape/shape.ts";

/** The configuration, the recorded state and the planned value of a resource or of a part of it. */
export interface ChangeParts {
  readonly config: Value;
  readonly prior: Value;
  readonly planned: Value;
}

/** The planned change of a whole resource, for plan modifiers that refer to other attributes. */
export interface WholeChange {
  readonly shape: ObjectShape;
  /** Computed on demand, because few modifiers use it. */
  readonly parts: () => ChangeParts;
}

/**
 * The planned change of an element of a set. Elements of a set have no keys, so no path leads into the element; its ancestors are reached
 * through `set` and `outer`.
 */
export interface ElementChange extends WholeChange {
  /** Path from the element to the part that is being planned. */
  readonly path: Path;
  /** Path of the set, from the root of the resource or from the outer element. */
  readonly set: Path;
  readonly outer: ElementChange | undefined;
}
