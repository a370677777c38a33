// SPDX-License-Identifier: Apache-2.0
/**
 * Sweepers, which delete the real objects that tests have left behind. The command `tenon-sweep` runs them.
 *
 * @module
 */
export { runSweepers, type SweepOptions, type SweepResult } from "./run-sweepers.ts";
export { orderedSweepers, type SweepContext, type Sweeper } from "./sweeper.ts";
