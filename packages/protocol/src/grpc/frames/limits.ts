// SPDX-License-Identifier: Apache-2.0
/** What a peer may ask of us. A well-behaved one never comes near. */
export const limits = {
  /** Calls open at once, which is told to the peer. */
  openStreams: 1024,
  /** A header list, as RFC 9113 counts its bytes; told to the peer. A longer one fails its call. */
  headerListSize: 65_536,
  /** A header block before it is decoded, in bytes, and in frames. More ends the connection. */
  headerBlock: { bytes: 131_072, frames: 64 },
  /** Header blocks of one answer, its trailers aside: one, and a few that say it will come. */
  headerBlocks: 8,
  /** Entries of one SETTINGS frame. */
  settingsEntries: 64,
  /**
   * Frames that need no answer and bring nothing: PING, SETTINGS, WINDOW_UPDATE, PRIORITY, DATA of nothing, unknown ones. Calls and their
   * data earn them back: Go's peers measure each path with a PING for every few of these.
   */
  idleFrames: { atOnce: 10_000, perSecond: 1000 },
  /** Calls taken back before they were answered: each has cost us its beginning. */
  resets: { atOnce: 1000, perSecond: 100 },
  /** What has been written and not been read, in bytes: beyond it, a peer that still wants acknowledgements wants to fill our memory. */
  unreadOutput: 4_194_304,
  /** How long a connection may take to say something, in milliseconds. */
  firstFrame: 20_000,
} as const;
