// SPDX-License-Identifier: Apache-2.0
import { MessageDecoder } from "./message-decoder.ts";
import type { Node } from "./node.ts";
import { readSession } from "./recorded-session.ts";

/** One call of a recording. Secrets that the recording does not hold are placeholders. */
export interface RecordedEntry {
  /** The call, such as `planResourceChange`. */
  readonly method: string;
  /** When it was made, in milliseconds from the beginning of the recording. */
  readonly atMs: number;
  readonly request: unknown;
  /** Where it was answered once. */
  readonly response?: unknown;
  /** Where it was answered with a stream: as far as that came. */
  readonly items?: readonly unknown[];
  /** Where it could not be made or answered. */
  readonly error?: Error;
}

/**
 * The calls of a recording, in the order they were made.
 *
 * @throws PluginHostError `RECORDING_MALFORMED`; `RECORDING_TRUNCATED` unless that is allowed
 */
export function readRecording(file: string, options: { readonly allowTruncated?: boolean } = {}): readonly RecordedEntry[] {
  const { calls, types } = readSession(file, options);
  const decoder = new MessageDecoder(file, types);
  const none = new Map<number, unknown>();
  const data = (node: Node): unknown => decoder.decode(node, none);
  return calls.map(({ method, atMs, request, items, end }) => {
    const isStream = items.length > 0 || end.kind === "end" || end.kind === "broken";
    const entry: { -readonly [Name in keyof RecordedEntry]: RecordedEntry[Name] } = { method, atMs, request: data(request) };
    if (end.kind === "answer") entry.response = data(end.response);
    if (isStream) entry.items = items.map(data);
    if (end.kind === "error") entry.error = decoder.decodeError(end.error);
    return entry;
  });
}
