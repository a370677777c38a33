// SPDX-License-Identifier: Apache-2.0
import type { CarrierTap } from "@tenon/protocol/carrier";
import { notifyListener } from "../listener.ts";

/** Major version of a provider protocol. */
export type ProtocolVersion = 5 | 6;

/** Settings for the connection to a provider. */
export interface ConnectionSettings {
  /**
   * Called with every message of every call as bytes, those of go-plugin's own services included. The bytes are valid only until it
   * returns. An exception it throws is uncaught. `wireRecording` creates one that writes a file. Default: no tap.
   */
  readonly tap?: CarrierTap;
}

/** The options of the carrier. */
export function resolveConnection({ tap }: { readonly tap?: CarrierTap | undefined }): { readonly tap?: CarrierTap } {
  return tap === undefined ? {} : { tap: (event) => notifyListener(tap, event) };
}
