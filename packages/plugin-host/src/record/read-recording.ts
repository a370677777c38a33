// SPDX-License-Identifier: Apache-2.0
import { MessageDecoder } from "./message-decoder.ts";
import type { Node } from "./node.ts";
import { readSession } from "./recorded-session.ts";

/** One call of a recording. Masked secrets are placeholders. */
export interface RecordedEntry {
  /** Name of the call, such as `planResourceChange`. */
  readonly method: string;
  /** Time of the call, in milliseconds since the recording began. */
  readonly atMs: number;
  readonly request: unknown;
  /** The response of a unary call. */
  readonly response?: unknown;
  /** The elements of a streamed response, as far as they were recorded. */
  readonly items?: readonly unknown[];
  /** The error of a failed call. */
  readonly error?: Error;
}

/**
 * Reads the calls of a recording, in their order.
 *
 * @throws PluginHostError `RECORDING_MALFORMED`; `RECORDING_TRUNCATED` unless `allowTruncated` is set
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
