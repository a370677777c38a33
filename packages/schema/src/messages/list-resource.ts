// SPDX-License-Identifier: Apache-2.0
import type { Value } from "@tenon/cty";
import type { Diagnostic } from "../diagnostic.ts";

export interface ValidateListResourceConfigRequest {
  readonly typeName: string;
  readonly config: Value;
  /** A bool, perhaps unknown. */
  readonly includeResourceObject: Value;
  /** A number, perhaps unknown. */
  readonly limit: Value;
}

export interface ListResourceRequest {
  readonly typeName: string;
  readonly config: Value;
  readonly includeResourceObject: boolean;
  /** 0: no limit. */
  readonly limit: number;
}

/** One resource found, or diagnostics. */
export interface ListResourceEvent {
  readonly identity?: Value;
  readonly displayName: string;
  readonly resourceObject?: Value;
  readonly diagnostics: readonly Diagnostic[];
}
