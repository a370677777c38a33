// SPDX-License-Identifier: Apache-2.0
/**
 * Records what is said to a provider and what it answers, and answers from a recording.
 *
 * @module
 */
export { recording, type RecordingOptions } from "./recording.ts";
export { replaying, type ReplayingOptions } from "./replaying.ts";
export { readRecording, type RecordedEntry } from "./read-recording.ts";
export { readWireRecording, wireRecording, type WireEvent, type WireRecording } from "./wire-recording.ts";
export type { SecretHandling } from "./frame.ts";
export type { RequestDifference } from "./request-difference.ts";
