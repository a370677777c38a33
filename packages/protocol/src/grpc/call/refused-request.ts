// SPDX-License-Identifier: Apache-2.0
import type { ConnectError } from "@connectrpc/connect";
import { errorCode } from "../frames/frame.ts";
import type { Stream, StreamListener } from "../frames/stream.ts";
import { encodeHeaders } from "../hpack/header-encoder.ts";
import type { ServedConnection } from "./server-call.ts";
import { errorTrailers, responseFields } from "./status.ts";

/** Responds to a gRPC call that has no handler: the headers are the whole response, and the request is not read. */
export function refuseCall(served: ServedConnection, stream: Stream, error: ConnectError, headers: readonly string[]): void {
  stream.listener = { ...ignoredEvents, drained: () => void served.session.completedCalls++ };
  stream.send(undefined, undefined, encodeHeaders([...responseFields, ...headers, ...errorTrailers(error)]), true);
  stream.resetWhenSent(errorCode.noError);
}

/** Body of the response to a request that is not gRPC. */
const explanation = Buffer.from("this server accepts gRPC calls only\n");

/** Responds to a request that is not gRPC, after the end of the request: other clients may not read a response before they have sent the whole request. */
export function refuseRequest(served: ServedConnection, stream: Stream, httpStatus: string, requestEnded: boolean): void {
  const fields = [":status", httpStatus, "content-type", "text/plain", "content-length", `${explanation.length}`];
  const respond = (): void => stream.send(encodeHeaders(fields), explanation, undefined, true);
  stream.listener = {
    ...ignoredEvents,
    headers: respond,
    data(_bytes, start, end, last) {
      stream.credit(end - start);
      if (last) respond();
    },
    drained: () => void served.session.completedCalls++,
  };
  if (requestEnded) respond();
}

const ignoredEvents: StreamListener = { headers() {}, data() {}, drained() {}, reset() {}, lost() {} };
