// SPDX-License-Identifier: Apache-2.0
import type { Value } from "@tenon/cty";
import type { Diagnostic } from "../diagnostic.ts";
import type { ClientCapabilities, Deferred } from "./common.ts";

/** Request of ValidateEphemeralResourceConfig. The configuration may hold unknown values. */
export interface ValidateEphemeralResourceConfigRequest {
  readonly typeName: string;
  readonly config: Value;
}

/** Request of OpenEphemeralResource. The configuration is wholly known. */
export interface OpenEphemeralResourceRequest {
  readonly typeName: string;
  readonly config: Value;
  readonly clientCapabilities?: ClientCapabilities;
}

/** Response of OpenEphemeralResource. */
export interface OpenEphemeralResourceResponse {
  readonly diagnostics: readonly Diagnostic[];
  /** Time before which the resource must be renewed; absent where it never expires. */
  readonly renewAt?: Date;
  readonly result: Value;
  /** Opaque data of the provider, sent back with every renewal and with the close. */
  readonly private?: Uint8Array;
  readonly deferred?: Deferred;
}

/** Request of RenewEphemeralResource. */
export interface RenewEphemeralResourceRequest {
  readonly typeName: string;
  readonly private?: Uint8Array;
}

/** Response of RenewEphemeralResource. */
export interface RenewEphemeralResourceResponse {
  readonly diagnostics: readonly Diagnostic[];
  /** Time before which the resource must be renewed again; absent where it never expires now. */
  readonly renewAt?: Date;
  /** Absent where the private data is unchanged. */
  readonly private?: Uint8Array;
}

/** Request of CloseEphemeralResource. */
export interface CloseEphemeralResourceRequest {
  readonly typeName: string;
  readonly private?: Uint8Array;
}
