// SPDX-License-Identifier: Apache-2.0
import type { HeaderList } from "../hpack/header-list.ts";
import type { Stream, StreamListener } from "./stream.ts";

/** Receives the events of a connection as a whole. */
export interface ConnectionListener {
  /** The peer's first SETTINGS arrived. */
  ready?(): void;
  /** Servers only: the peer opened a stream. The callback must set the stream's listener, which does not receive these headers. */
  opened?(stream: Stream, headers: HeaderList, last: boolean): void;
  /** The peer accepts no more streams. The streams that it did not accept are lost. */
  goaway?(code: number, text: string): void;
  /** The connection is about to end because of an error: a `Violation`, an error of the socket, or a bug in this package. */
  failed(error: Error): void;
  /** Clients only: `canOpenStream` of the connection may have become true. */
  capacityAvailable?(): void;
  /** The connection has ended. All of its streams have been notified. */
  closed(): void;
}

/** Listener of a stream until {@link ConnectionListener.opened} sets another one. It receives no event. */
export const noListener: StreamListener = { headers() {}, data() {}, drained() {}, reset() {}, lost() {} };
