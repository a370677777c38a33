// SPDX-License-Identifier: Apache-2.0
import type {
  InvokeActionEvent,
  InvokeActionRequest,
  PlanActionRequest,
  PlanActionResponse,
  ValidateActionConfigRequest,
} from "../../messages/action.ts";
import type { DiagnosticsResponse } from "../../messages/common.ts";
import { clientCapabilities, deferred } from "../kind/capabilities.ts";
import { diagnostics, diagnosticsIn, type DiagnosticInit, type DiagnosticWire } from "../kind/diagnostics.ts";
import type { Kind } from "../kind/kind.ts";
import { text } from "../kind/scalar.ts";
import { value } from "../kind/value.ts";
import type { Methods } from "../methods.ts";
import { bind, type RpcTable } from "../rpc-table.ts";
import type { Rpcs, StreamRpc } from "../rpc.ts";
import { noTypes, ofAction } from "../types.ts";

const validateActionConfig = {
  named: "actionType",
  request: { actionType: text, config: value(ofAction) },
  response: { diagnostics: diagnosticsIn(ofAction) },
} as const satisfies RpcTable<ValidateActionConfigRequest, DiagnosticsResponse>;

const planAction = {
  named: "actionType",
  request: { actionType: text, config: value(ofAction), clientCapabilities },
  response: { diagnostics: diagnosticsIn(ofAction), deferred },
} as const satisfies RpcTable<PlanActionRequest, PlanActionResponse>;

interface EventWire {
  readonly type:
    | { readonly case: "progress"; readonly value: { readonly message: string } }
    | { readonly case: "completed"; readonly value: { readonly diagnostics: readonly DiagnosticWire[] } }
    | { readonly case: undefined };
}
type EventInit = {
  type: { case: "progress"; value: { message: string } } | { case: "completed"; value: { diagnostics: DiagnosticInit[] } };
};

/** Written by hand, because the message is a oneof. An event of a later protocol is read as progress without a message. */
const invokeActionEvent: Kind<InvokeActionEvent, EventWire, EventInit> = {
  read({ type }, types) {
    if (type.case === "completed") return { kind: "completed", diagnostics: diagnostics.read(type.value.diagnostics, types) };
    return { kind: "progress", message: type.case === "progress" ? type.value.message : "" };
  },
  write: (model, types) =>
    model.kind === "progress"
      ? { type: { case: "progress", value: { message: model.message } } }
      : { type: { case: "completed", value: { diagnostics: diagnosticsIn(ofAction).write(model.diagnostics, types) } } },
};

const invokeAction = {
  named: "actionType",
  request: { actionType: text, config: value(ofAction), clientCapabilities },
  response: invokeActionEvent,
  refuse: (reasons) => ({ type: { case: "completed", value: { diagnostics: diagnostics.write(reasons, noTypes) } } }),
} as const satisfies RpcTable<InvokeActionRequest, InvokeActionEvent>;

/** Returns the RPCs about actions. */
export function actionRpcs(
  methods: Methods,
): Rpcs<"validateActionConfig" | "planAction"> & { readonly invokeAction: StreamRpc<"invokeAction"> } {
  return {
    validateActionConfig: bind(validateActionConfig, methods.validateActionConfig),
    planAction: bind(planAction, methods.planAction),
    invokeAction: bind(invokeAction, methods.invokeAction),
  };
}
