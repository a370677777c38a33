// SPDX-License-Identifier: Apache-2.0

/** Limits on the resources that a peer may use. A well-behaved peer stays far below them. */
export const limits = {
  /**
   * Maximum number of streams that are open, or whose handlers have not finished; announced in SETTINGS. A call beyond it is refused.
   */
  openStreams: 1024,
  /** Maximum size of a header list, counted as in RFC 9113, section 6.5.2; announced in SETTINGS. A longer list fails its call. */
  headerListSize: 65_536,
  /** Maximum size of an undecoded header block, in bytes and in frames. A larger block ends the connection. */
  headerBlock: { bytes: 131_072, frames: 64 },
  /** Maximum number of header blocks on a stream, without trailers: the headers, and a few informational responses. */
  headerBlocks: 8,
  /** Maximum number of entries in one SETTINGS frame. */
  settingsEntries: 64,
  /**
   * Rate limit of frames that do no work for a call: PING, SETTINGS, WINDOW_UPDATE, PRIORITY, empty DATA, unknown types. Each
   * call, and each DATA frame, allows one more: Go's gRPC sends a PING for every few of them, to measure the bandwidth.
   */
  idleFrames: { burst: 10_000, perSecond: 1000 },
  /**
   * Rate limit of calls that are reset before their response, by the peer or because of a violation of the peer. Each of them has cost this
   * endpoint the work of starting it.
   */
  resets: { burst: 1000, perSecond: 100 },
  /** Number of open streams that count as one of {@link idleFrames} when a setting changes the windows of all streams. */
  windowsPerIdleFrame: 16,
  /** Maximum number of streams that are remembered after this endpoint has reset them; see `reset-streams.ts`. */
  rememberedResets: 16_384,
  /** Memory for received messages that no call has taken, in bytes. Above it, the peer cannot send more data. */
  queuedBytes: 134_217_728,
  /**
   * Memory for received messages and parts of messages, in bytes, beside one message of the largest size that a call accepts. Above it,
   * the call whose message needs more memory fails.
   */
  receivedBytes: 268_435_456,
  /**
   * Maximum number of bytes that are written and not read by the peer. When there are more, and the peer requests an acknowledgement, the
   * connection ends.
   */
  unreadOutput: 4_194_304,
  /** Maximum time until the first frame of a client, in milliseconds. */
  firstFrameMs: 20_000,
} as const;
