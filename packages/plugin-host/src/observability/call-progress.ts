// SPDX-License-Identifier: Apache-2.0

/** A call while it is made: the same object in all its events. */
export interface ObservedCall {
  /** One for each call; logs and spans have it as `tf_req_id`. */
  readonly requestId: string;
  readonly provider: string;
  /** As protocol 6 names it: `ApplyResourceChange`. */
  readonly rpc: string;
  /** The component it is about, such as `time_static`; undefined where that is the provider. */
  readonly typeName: string | undefined;
}

/** How a call goes on: enough for a line that moves. Nothing in it is what the schema calls sensitive. */
export type CallProgress =
  | { readonly kind: "calling"; readonly call: ObservedCall }
  | ({ readonly kind: "streaming"; readonly call: ObservedCall } & StreamProgress)
  | ({ readonly kind: "called"; readonly call: ObservedCall; readonly durationMs: number } & CallOutcome);

/** How far a stream has come, in either direction. */
export interface StreamProgress {
  /** Elements so far. */
  readonly items: number;
  /** What the provider says of it: an action's progress, the name of a resource that was listed. */
  readonly message?: string;
  /** Of a state that goes through a state store. */
  readonly bytes?: number;
  readonly totalBytes?: number;
}

/** How a call ended. */
export interface CallOutcome {
  /**
   * - `answered`: as it should.
   * - `refused`: the answer has errors.
   * - `failed`: it could not be made or answered; `message` says why.
   * - `brokenOff`: nobody wanted more of the stream.
   */
  readonly outcome: "answered" | "refused" | "failed" | "brokenOff";
  readonly errors: number;
  readonly warnings: number;
  readonly message?: string;
}
