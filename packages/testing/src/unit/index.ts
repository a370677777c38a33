// SPDX-License-Identifier: Apache-2.0
/**
 * Unit tests of single resources, below acceptance tests.
 *
 * @module
 */
export { openResource, type OpenResourceOptions, type TestedResource, type TestedTypes } from "./open-resource.ts";
export { testClock, type TestClock } from "./test-clock.ts";
