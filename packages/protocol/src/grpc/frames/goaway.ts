// SPDX-License-Identifier: Apache-2.0
import { readStreamId } from "./frame-reader.ts";
import { errorCode } from "./frame.ts";
import { Violation } from "./violation.ts";

/** Content of a GOAWAY frame. */
export interface Goaway {
  /** Identifier of the last stream that the peer accepted. */
  readonly lastAcceptedId: number;
  readonly code: number;
  /** Debug data of the peer: at most 200 characters, without control characters. */
  readonly text: string;
}

const maxText = 200;

/** Reads a GOAWAY frame. @throws Violation when the frame is invalid. */
export function readGoaway(streamId: number, bytes: Buffer, start: number, end: number): Goaway {
  if (streamId !== 0) throw new Violation(errorCode.protocolError, "GOAWAY on a stream");
  if (end - start < 8) throw new Violation(errorCode.frameSizeError, `GOAWAY of ${end - start} bytes`);
  return {
    lastAcceptedId: readStreamId(bytes, start),
    code: bytes.readUInt32BE(start + 4),
    text: printable(bytes.toString("latin1", start + 8, Math.min(end, start + 8 + maxText))),
  };
}

/** Replaces the control characters in a text of the peer: a terminal would interpret them. */
function printable(text: string): string {
  // oxlint-disable-next-line no-control-regex -- the expression replaces control characters
  return text.replaceAll(/[\0-\x1f\x7f-\x9f]/g, "\ufffd");
}
