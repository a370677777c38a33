// SPDX-License-Identifier: Apache-2.0
/**
 * What is inside a value, by its path: visited, changed, looked up; and marks with the places they are on.
 *
 * @module
 */
export { applyPath } from "./apply-path.ts";
export { markWithPaths, unmarkDeepWithPaths, type PathMarks } from "./marks-with-paths.ts";
export { wrangleMarks, type MarkAction, type MarkWrangler } from "./marks-wrangle.ts";
export { PathSet } from "./path-set.ts";
export { deepValues, transform, unknownAsNull, walk, type Transformer } from "./walk.ts";
