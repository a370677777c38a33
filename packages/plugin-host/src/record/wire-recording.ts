// SPDX-License-Identifier: Apache-2.0
import type { CarrierTap, TapEvent } from "@tenon/protocol/carrier";
import { PluginHostError } from "../error.ts";
import { type FileKind, FrameWriter, readFrames } from "./frame-file.ts";

const wireFile: FileKind = { magic: "TENONTAP", version: 1 };

/**
 * One entry: the header, a message that was sent or received, or the status of a call.
 * Each entry has the number of its call. The first entry of a call has its method; later ones have null.
 */
type WireFrame =
  | readonly ["header", version: number]
  | readonly ["sent" | "received", call: number, method: string | null, atMs: number, bytes: Uint8Array]
  | readonly ["ended", call: number, method: string | null, atMs: number, status: number, message: string];

/** A recording of bytes in progress. */
export interface WireRecording extends Disposable {
  /** The value for the option `tap` of one launch or attachment. */
  readonly tap: CarrierTap;
  /** Closes the file. @throws PluginHostError `RECORDING_FAILED` if an event could not be written */
  close(): void;
}

/**
 * Records every message of every call as bytes, before it is decoded.
 * Secrets are not masked: the file contains every secret that is sent over the connection. Only its owner can read it.
 *
 * @throws PluginHostError `RECORDING_FAILED` if the file cannot be written, or exists already
 *
 * @example
 * using wire = wireRecording("time.wire");
 * await using time = await launchProvider({ command: "terraform-provider-time", tap: wire.tap });
 */
export function wireRecording(path: string, { overwrite = false }: { readonly overwrite?: boolean } = {}): WireRecording {
  const file = new FrameWriter<WireFrame>(wireFile, path, overwrite);
  file.write(["header", wireFile.version]);
  const startedAt = performance.now();
  const named = new Set<number>();
  const close = (): void => {
    file.close();
    file.assertIntact();
  };
  return {
    tap: (event) => {
      const { call } = event;
      const method = named.has(call) ? null : event.method;
      const atMs = Math.round((performance.now() - startedAt) * 1000) / 1000;
      if (event.kind === "ended") {
        named.delete(call);
        file.write(["ended", call, method, atMs, event.status, event.message]);
      } else {
        named.add(call);
        file.write([event.kind, call, method, atMs, event.bytes]);
      }
    },
    close,
    [Symbol.dispose]: close,
  };
}

/** A recorded event. `atMs` is the time in milliseconds since the recording began. */
export type WireEvent = TapEvent & { readonly atMs: number };

/**
 * Reads the events that {@link wireRecording} recorded, in order of time.
 *
 * @throws PluginHostError `RECORDING_MALFORMED`; `RECORDING_TRUNCATED` unless `allowTruncated` is set
 */
export function readWireRecording(
  path: string,
  { allowTruncated = false }: { readonly allowTruncated?: boolean } = {},
): readonly WireEvent[] {
  const { frames, truncatedAt } = readFrames<WireFrame>(wireFile, path);
  const methods = new Map<number, string>();
  const events: WireEvent[] = [];
  for (const frame of frames) {
    if (frame[0] === "header") continue;
    const [, call, name, atMs] = frame;
    const method = name ?? methods.get(call);
    if (method === undefined) {
      throw new PluginHostError("RECORDING_MALFORMED", `the recording ${path} continues a call ${String(call)} that never began`);
    }
    if (frame[0] === "ended") {
      methods.delete(call);
      events.push({ kind: "ended", call, method, atMs, status: frame[4], message: frame[5] });
    } else {
      methods.set(call, method);
      events.push({ kind: frame[0], call, method, atMs, bytes: frame[4] });
    }
  }
  if (truncatedAt !== undefined && !allowTruncated) {
    const last = events.at(-1);
    const after =
      last === undefined
        ? "before the first message"
        : `after call ${last.call} (${last.method}) had ${last.kind === "ended" ? "ended" : `${last.kind} ${last.bytes.length} bytes`}`;
    const message = `the recording ${path} is truncated at byte ${truncatedAt}, ${after}. To read it up to there, set allowTruncated`;
    throw new PluginHostError("RECORDING_TRUNCATED", message);
  }
  return events;
}
