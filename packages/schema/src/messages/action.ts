// SPDX-License-Identifier: Apache-2.0
import type { Value } from "@tenon/cty";
import type { Diagnostic } from "../diagnostic.ts";
import type { ClientCapabilities, Deferred } from "./common.ts";

/** Request of ValidateActionConfig. The configuration may hold unknown values. */
export interface ValidateActionConfigRequest {
  readonly actionType: string;
  readonly config: Value;
}

/** Request of PlanAction. The configuration may hold unknown values. */
export interface PlanActionRequest {
  readonly actionType: string;
  readonly config: Value;
  readonly clientCapabilities?: ClientCapabilities;
}

/** Response of PlanAction. */
export interface PlanActionResponse {
  readonly diagnostics: readonly Diagnostic[];
  readonly deferred?: Deferred;
}

/** Request of InvokeAction. The configuration is wholly known. */
export interface InvokeActionRequest {
  readonly actionType: string;
  readonly config: Value;
  readonly clientCapabilities?: ClientCapabilities;
}

/** Event of InvokeAction: any number of `progress`, then exactly one `completed`. */
export type InvokeActionEvent =
  | { readonly kind: "progress"; readonly message: string }
  | { readonly kind: "completed"; readonly diagnostics: readonly Diagnostic[] };
