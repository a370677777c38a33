// SPDX-License-Identifier: Apache-2.0
import { PluginHostError } from "../error.ts";
import type { Frame, SecretHandling } from "./frame.ts";
import { readFrames } from "./frame-file.ts";
import type { Node } from "./node.ts";
import { recordingFile } from "./recording-file.ts";

/** The end of a recorded call. `open`: the call was in flight when the recording ended; `broken`: its consumer cancelled the stream. */
export type RecordedEnd =
  | { readonly kind: "answer"; readonly response: Node }
  | { readonly kind: "error"; readonly error: Node }
  | { readonly kind: "end" | "broken" | "open" };

/** One call of a recording. */
export interface RecordedCall {
  readonly id: number;
  readonly method: string;
  readonly request: Node;
  /** Time of the call, in milliseconds since the recording began. */
  readonly atMs: number;
  /** The parts of a streamed request. */
  readonly chunks: readonly Node[];
  /** The elements of a streamed response. */
  readonly items: readonly Node[];
  readonly end: RecordedEnd;
}

/** The contents of a recording. */
export interface RecordedSession {
  readonly secrets: SecretHandling;
  readonly types: ReadonlyMap<number, string>;
  readonly calls: readonly RecordedCall[];
  /** Whether the provider was closed before the recording ended. */
  readonly complete: boolean;
}

/**
 * Reads a recording.
 *
 * @throws PluginHostError `RECORDING_MALFORMED`; `RECORDING_TRUNCATED` unless `allowTruncated` is set
 */
export function readSession(path: string, { allowTruncated = false }: { readonly allowTruncated?: boolean } = {}): RecordedSession {
  const { frames, truncatedAt } = readFrames<Frame>(recordingFile, path);
  const types = new Map<number, string>();
  const calls = new Map<number, Mutable>();
  let complete = false;
  for (const frame of frames) {
    if (frame[0] === "type") types.set(frame[1], frame[2]);
    else if (frame[0] === "close") complete = true;
    else if (frame[0] === "call") {
      const [, id, method, request, atMs] = frame;
      calls.set(id, { id, method, request, atMs, chunks: [], items: [], end: { kind: "open" } });
    } else if (frame[0] !== "header") addToCall(calls, frame, path);
  }
  if (truncatedAt !== undefined && !allowTruncated) throw truncated(path, truncatedAt, [...calls.values()]);
  const [header] = frames;
  return { secrets: header?.[0] === "header" ? header[2] : "mask", types, calls: [...calls.values()], complete };
}

type Mutable = { -readonly [Name in keyof RecordedCall]: RecordedCall[Name] } & { chunks: Node[]; items: Node[] };

function addToCall(
  calls: ReadonlyMap<number, Mutable>,
  frame: Exclude<Frame, { readonly 0: "header" | "type" | "close" | "call" }>,
  path: string,
): void {
  const call = calls.get(frame[1]);
  if (call === undefined)
    throw new PluginHostError("RECORDING_MALFORMED", `the recording ${path} continues a call ${String(frame[1])} that never began`);
  switch (frame[0]) {
    case "chunk":
      call.chunks.push(frame[2]);
      return;
    case "item":
      call.items.push(frame[2]);
      return;
    case "answer":
      call.end = { kind: "answer", response: frame[2] };
      return;
    case "error":
      call.end = { kind: "error", error: frame[2] };
      return;
    case "end":
      call.end = { kind: "end" };
      return;
    case "break":
      call.end = { kind: "broken" };
      return;
    default:
  }
}

function truncated(path: string, at: number, calls: readonly RecordedCall[]): PluginHostError {
  const open = calls.filter(({ end }) => end.kind === "open").map(({ method }) => method);
  const missing = open.length === 0 ? "each has a response" : `there is no response to ${open.join(", ")}`;
  const last = calls.at(-1);
  const message =
    `the recording ${path} is truncated at byte ${at}, after ${calls.length} calls` +
    `${last === undefined ? "" : `, the last of them ${last.method}`}; ${missing}. To replay the calls before that byte, set allowTruncated`;
  return new PluginHostError("RECORDING_TRUNCATED", message);
}
