// SPDX-License-Identifier: Apache-2.0
/**
 * Types of values that are stored as text and compared by meaning: JSON, timestamps, durations, IP addresses; and timeouts.
 *
 * @module
 */
export { duration, milliseconds } from "./duration.ts";
export { cidr, ipAddress, ipv4Address, ipv4Cidr, ipv6Address, ipv6Cidr } from "./ip-address.ts";
export { jsonText } from "./json-text.ts";
export { textType, type TextType } from "./text-type.ts";
export { timeouts, type Timeouts, type TimeoutsValue } from "./timeouts.ts";
export { timestamp } from "./timestamp.ts";
