// SPDX-License-Identifier: Apache-2.0
import type { Value } from "@tenon/cty";
import type { Diagnostic } from "../diagnostic.ts";
import type { ClientCapabilities, Deferred } from "./common.ts";

export interface ValidateActionConfigRequest {
  readonly actionType: string;
  readonly config: Value;
}

export interface PlanActionRequest {
  readonly actionType: string;
  readonly config: Value;
  readonly clientCapabilities?: ClientCapabilities;
}

export interface PlanActionResponse {
  readonly diagnostics: readonly Diagnostic[];
  readonly deferred?: Deferred;
}

export interface InvokeActionRequest {
  readonly actionType: string;
  readonly config: Value;
  readonly clientCapabilities?: ClientCapabilities;
}

/** Any number of `progress`, then exactly one `completed`. */
export type InvokeActionEvent =
  | { readonly kind: "progress"; readonly message: string }
  | { readonly kind: "completed"; readonly diagnostics: readonly Diagnostic[] };
