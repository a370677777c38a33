// SPDX-License-Identifier: Apache-2.0

/**
 * Event of a call: an encoded message that was sent or received, or the end of the call.
 *
 * The bytes are not a copy, and are valid only until the tap returns.
 */
export type TapEvent =
  | {
      readonly kind: "sent" | "received";
      /** Number of the call on its connection, from 1. */
      readonly call: number;
      /** Path of the method: `/tfplugin6.Provider/PlanResourceChange`. */
      readonly method: string;
      readonly bytes: Uint8Array;
    }
  | {
      readonly kind: "ended";
      readonly call: number;
      readonly method: string;
      /** gRPC status code; 0 for a successful call. */
      readonly status: number;
      /** Text of the error; empty for a successful call. */
      readonly message: string;
    };

/** Receives the events of all calls of a connection. Must not throw. */
export type CarrierTap = (event: TapEvent) => void;
