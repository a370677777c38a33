// SPDX-License-Identifier: Apache-2.0
/**
 * Functions that visit, change and look up the parts of a value by path, and that remove marks and restore them by path.
 *
 * @module
 */
export { applyPath } from "./apply-path.ts";
export { markWithPaths, unmarkDeepWithPaths, type PathMarks } from "./marks-with-paths.ts";
export { wrangleMarks, type MarkAction, type MarkWrangler } from "./marks-wrangle.ts";
export { PathSet } from "./path-set.ts";
export { deepValues, transform, unknownAsNull, walk, type Transformer } from "./walk.ts";
