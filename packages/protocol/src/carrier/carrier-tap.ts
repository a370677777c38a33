// SPDX-License-Identifier: Apache-2.0

/**
 * What went over a connection: the messages of a call as bytes, each before it is read or after it was written, and how the call ended.
 *
 * The bytes are not a copy, and hold only until the tap returns.
 */
export type TapEvent =
  | {
      readonly kind: "sent" | "received";
      /** Tells calls of one connection apart: 1 for the first. */
      readonly call: number;
      /** `/tfplugin6.Provider/PlanResourceChange`. */
      readonly method: string;
      readonly bytes: Uint8Array;
    }
  | {
      readonly kind: "ended";
      readonly call: number;
      readonly method: string;
      /** gRPC's status: 0 where the call was answered. */
      readonly status: number;
      /** What is said of another status; empty otherwise. */
      readonly message: string;
    };

/** Sees everything that goes over a connection. It must not throw. */
export type CarrierTap = (event: TapEvent) => void;
