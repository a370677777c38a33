// SPDX-License-Identifier: Apache-2.0
import type { Value } from "@tenon/cty";
import type { Diagnostic } from "../diagnostic.ts";
import type { ClientCapabilities, Deferred } from "./common.ts";

export interface ValidateEphemeralResourceConfigRequest {
  readonly typeName: string;
  readonly config: Value;
}

export interface OpenEphemeralResourceRequest {
  readonly typeName: string;
  readonly config: Value;
  readonly clientCapabilities?: ClientCapabilities;
}

export interface OpenEphemeralResourceResponse {
  readonly diagnostics: readonly Diagnostic[];
  /** When it must be renewed; absent where it never expires. */
  readonly renewAt?: Date;
  readonly result: Value;
  readonly private?: Uint8Array;
  readonly deferred?: Deferred;
}

export interface RenewEphemeralResourceRequest {
  readonly typeName: string;
  readonly private?: Uint8Array;
}

export interface RenewEphemeralResourceResponse {
  readonly diagnostics: readonly Diagnostic[];
  readonly renewAt?: Date;
  readonly private?: Uint8Array;
}

export interface CloseEphemeralResourceRequest {
  readonly typeName: string;
  readonly private?: Uint8Array;
}
