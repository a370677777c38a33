// SPDX-License-Identifier: Apache-2.0
import type { Diagnostic } from "../diagnostic.ts";

/** Request without fields. */
export interface EmptyRequest {}

/** Response that holds only diagnostics. */
export interface DiagnosticsResponse {
  readonly diagnostics: readonly Diagnostic[];
}

/** Capabilities of the caller. All are false if the caller sends no capabilities. */
export interface ClientCapabilities {
  /** Whether the response may be `deferred`. */
  readonly deferralAllowed: boolean;
  /** Whether the configuration may hold values of write-only attributes. */
  readonly writeOnlyAttributesAllowed: boolean;
}

/** Capabilities of the provider. */
export interface ServerCapabilities {
  /** Whether the provider plans the destruction of a resource. */
  readonly planDestroy: boolean;
  /** Whether the provider handles other calls before it has received a request for its schemas. */
  readonly getProviderSchemaOptional: boolean;
  /** Whether the provider implements MoveResourceState. */
  readonly moveResourceState: boolean;
  /** Whether the provider implements GenerateResourceConfig. */
  readonly generateResourceConfig: boolean;
}

/** Reason for which a response is provisional. */
export interface Deferred {
  readonly reason: "unknown" | "resourceConfigUnknown" | "providerConfigUnknown" | "absentPrerequisite";
}

/** State as it was stored, of any schema version. Exactly one of the two fields is present. */
export interface RawState {
  /** JSON text as bytes. */
  readonly json?: Uint8Array;
  /** Format of Terraform 0.11 and older. */
  readonly flatmap?: Readonly<Record<string, string>>;
}
