// SPDX-License-Identifier: Apache-2.0
import type { Value } from "@tenon/cty";
import type { Diagnostic } from "../diagnostic.ts";

/** Request of ValidateListResourceConfig. The configuration may hold unknown values. */
export interface ValidateListResourceConfigRequest {
  readonly typeName: string;
  readonly config: Value;
  /** Bool that may be unknown. */
  readonly includeResourceObject: Value;
  /** Number that may be unknown. */
  readonly limit: Value;
}

/** Request of ListResource. */
export interface ListResourceRequest {
  readonly typeName: string;
  readonly config: Value;
  /** Whether events carry the whole object beside its identity. */
  readonly includeResourceObject: boolean;
  /** Maximum number of events; 0 means no limit. */
  readonly limit: number;
}

/** Event of ListResource: one resource, or diagnostics. */
export interface ListResourceEvent {
  readonly identity?: Value;
  /** Name of the resource in user interfaces. */
  readonly displayName: string;
  readonly resourceObject?: Value;
  readonly diagnostics: readonly Diagnostic[];
}
