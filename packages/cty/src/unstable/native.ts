// SPDX-License-Identifier: Apache-2.0
/**
 * Arguments of functions as native data, for implementations of functions. Unstable: the names may change in any version.
 *
 * @module
 */
export { countOf, doubleOf, entriesOf, integerOf, numberOf, partsOf, stringOf, stringValue } from "../function/stdlib/argument/native.ts";
export { parseTimestamp } from "../function/stdlib/date/rfc3339.ts";
export { unixNanoseconds, type CivilTime } from "../function/stdlib/date/civil-time.ts";
