// SPDX-License-Identifier: Apache-2.0
/**
 * For programs that evaluate an expression many times: values at places in the tree, and parts evaluated in advance. Unstable: may
 * change in any version.
 *
 * @module
 */
export { invariantParts, type Variance } from "../analysis/invariant-parts.ts";
export { transform, type LocalNames, type Replacement } from "../analysis/transform.ts";
export type { AnchorPlace, Anchors } from "../syntax/scope.ts";
