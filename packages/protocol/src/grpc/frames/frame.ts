// SPDX-License-Identifier: Apache-2.0
/** Numbers of HTTP/2 as RFC 9113 has them. */

/** @see RFC 9113, section 6 */
export const frameType = {
  data: 0,
  headers: 1,
  priority: 2,
  rstStream: 3,
  settings: 4,
  pushPromise: 5,
  ping: 6,
  goaway: 7,
  windowUpdate: 8,
  continuation: 9,
} as const;

/** Of SETTINGS and PING the first bit is an acknowledgement, of the others the end of a stream. */
export const flag = { ack: 1, endStream: 1, endHeaders: 4, padded: 8, priority: 0x20 } as const;

/** @see RFC 9113, section 6.5.2 */
export const setting = {
  headerTableSize: 1,
  enablePush: 2,
  maxConcurrentStreams: 3,
  initialWindowSize: 4,
  maxFrameSize: 5,
  maxHeaderListSize: 6,
} as const;

/** @see RFC 9113, section 7 */
export const errorCode = {
  noError: 0,
  protocolError: 1,
  internalError: 2,
  flowControlError: 3,
  settingsTimeout: 4,
  streamClosed: 5,
  frameSizeError: 6,
  refusedStream: 7,
  cancel: 8,
  compressionError: 9,
  connectError: 10,
  enhanceYourCalm: 11,
  inadequateSecurity: 12,
  http11Required: 13,
} as const;

const errorNames: readonly string[] = [
  "NO_ERROR",
  "PROTOCOL_ERROR",
  "INTERNAL_ERROR",
  "FLOW_CONTROL_ERROR",
  "SETTINGS_TIMEOUT",
  "STREAM_CLOSED",
  "FRAME_SIZE_ERROR",
  "REFUSED_STREAM",
  "CANCEL",
  "COMPRESSION_ERROR",
  "CONNECT_ERROR",
  "ENHANCE_YOUR_CALM",
  "INADEQUATE_SECURITY",
  "HTTP_1_1_REQUIRED",
];

/** An error code as people know it. */
export function errorName(code: number): string {
  return errorNames[code] ?? `error code ${code}`;
}

/** Length, type, flags, stream. */
export const frameHeaderLength = 9;

/** The largest frame that everybody takes, and the largest we take. */
export const defaultMaxFrameSize = 16_384;

/** What a window is before anybody has said otherwise. */
export const defaultWindowSize = 65_535;

export const largestWindowSize = 0x7fff_ffff;

/** What a client says first. */
export const clientPreface: Buffer = Buffer.from("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n", "latin1");

/** Writes the nine bytes before a frame's payload. */
export function writeFrameHeader(to: Buffer, at: number, length: number, type: number, flags: number, streamId: number): void {
  to[at] = length >>> 16;
  to[at + 1] = length >>> 8;
  to[at + 2] = length;
  to[at + 3] = type;
  to[at + 4] = flags;
  to[at + 5] = streamId >>> 24;
  to[at + 6] = streamId >>> 16;
  to[at + 7] = streamId >>> 8;
  to[at + 8] = streamId;
}
