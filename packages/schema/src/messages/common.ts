// SPDX-License-Identifier: Apache-2.0
import type { Diagnostic } from "../diagnostic.ts";

/** A request that says nothing. */
export interface EmptyRequest {}

/** An answer that says only whether it went well. */
export interface DiagnosticsResponse {
  readonly diagnostics: readonly Diagnostic[];
}

/** What the caller understands. All false where a peer says nothing. */
export interface ClientCapabilities {
  /** The caller can wait: an answer may be `deferred`. */
  readonly deferralAllowed: boolean;
  readonly writeOnlyAttributesAllowed: boolean;
}

/** What the provider understands. */
export interface ServerCapabilities {
  /** It wants to be asked for the plan of a destroy too. */
  readonly planDestroy: boolean;
  /** It works without having been asked for its schema in this process. */
  readonly getProviderSchemaOptional: boolean;
  readonly moveResourceState: boolean;
  readonly generateResourceConfig: boolean;
}

/** Why an answer is provisional. */
export interface Deferred {
  readonly reason: "unknown" | "resourceConfigUnknown" | "providerConfigUnknown" | "absentPrerequisite";
}

/** State as it was stored, before its schema version is known to fit. Exactly one of the two is there. */
export interface RawState {
  /** JSON text as bytes. */
  readonly json?: Uint8Array;
  /** Written by Terraform 0.11 and older. */
  readonly flatmap?: Readonly<Record<string, string>>;
}
