// SPDX-License-Identifier: Apache-2.0

/** A call. All its events share this object. */
export interface ObservedCall {
  /** Id of the call; `tf_req_id` in logs and spans. */
  readonly requestId: string;
  readonly provider: string;
  /** Name of the RPC in protocol 6: `ApplyResourceChange`. */
  readonly rpc: string;
  /** Type of the component, such as `time_static`; undefined for a call about the provider. */
  readonly typeName: string | undefined;
}

/** The progress of a call. Sensitive values are masked. */
export type CallProgress =
  | { readonly kind: "calling"; readonly call: ObservedCall }
  | ({ readonly kind: "streaming"; readonly call: ObservedCall } & StreamProgress)
  | ({ readonly kind: "called"; readonly call: ObservedCall; readonly durationMs: number } & CallOutcome);

/** The progress of a stream, in either direction. */
export interface StreamProgress {
  /** Number of elements so far. */
  readonly items: number;
  /** The progress message of an action, or the name of a listed resource. */
  readonly message?: string;
  /** Bytes of a state so far. */
  readonly bytes?: number;
  readonly totalBytes?: number;
}

/** Outcome of a call. */
export interface CallOutcome {
  /**
   * - `answered`: the response has no errors.
   * - `refused`: the response has errors.
   * - `failed`: no response arrived; `message` has the reason.
   * - `brokenOff`: the consumer ended the stream.
   */
  readonly outcome: "answered" | "refused" | "failed" | "brokenOff";
  readonly errors: number;
  readonly warnings: number;
  readonly message?: string;
}
