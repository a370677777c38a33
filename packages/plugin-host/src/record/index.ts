// SPDX-License-Identifier: Apache-2.0
/**
 * Records the calls of a provider, and replays recordings.
 *
 * @module
 */
export { observedCalls, type CompletedCall, type ObservedCallsOptions } from "./observed-calls.ts";
export { recording, type RecordingOptions } from "./recording.ts";
export { replaying, type ReplayingOptions } from "./replaying.ts";
export { readRecording, type RecordedEntry } from "./read-recording.ts";
export { readWireRecording, wireRecording, type WireEvent, type WireRecording } from "./wire-recording.ts";
export type { SecretHandling } from "./frame.ts";
export type { MaskedPart } from "./masked-parts.ts";
export type { MessageField, UnmarkedSecrets, ValuePlace } from "./secrets.ts";
export type { RequestDifference } from "../request-difference.ts";
