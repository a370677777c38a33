// SPDX-License-Identifier: Apache-2.0

/** Frame types. @see RFC 9113, section 6 */
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

/** Frame flags. The first bit means ACK in SETTINGS and PING, END_STREAM in DATA and HEADERS. @see RFC 9113, section 6 */
export const flag = { ack: 1, endStream: 1, endHeaders: 4, padded: 8, priority: 0x20 } as const;

/** Identifiers of settings. @see RFC 9113, section 6.5.2 */
export const setting = {
  headerTableSize: 1,
  enablePush: 2,
  maxConcurrentStreams: 3,
  initialWindowSize: 4,
  maxFrameSize: 5,
  maxHeaderListSize: 6,
} as const;

/** Error codes of RST_STREAM and GOAWAY. @see RFC 9113, section 7 */
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

/** Name of an error code, as RFC 9113 spells it. */
export function errorName(code: number): string {
  return errorNames[code] ?? `error code ${code}`;
}

/** Length of a frame header, in bytes: payload length 3, type 1, flags 1, stream identifier 4. */
export const frameHeaderLength = 9;

/** Default maximum size of a frame's payload, in bytes; also the maximum that this endpoint accepts. */
export const defaultMaxFrameSize = 16_384;

/** Largest value of MAX_FRAME_SIZE, in bytes. */
export const largestFrameSize = 0xff_ffff;

/** Initial flow-control window of streams and connections, in bytes. */
export const defaultWindowSize = 65_535;

/** Largest flow-control window, in bytes. */
export const largestWindowSize = 0x7fff_ffff;

/** Connection preface of a client. @see RFC 9113, section 3.4 */
export const clientPreface: Buffer = Buffer.from("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n", "latin1");

/** Writes a frame header. */
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
