// SPDX-License-Identifier: Apache-2.0
import type { EmptyRequest } from "../../messages/common.ts";
import type { CallFunctionRequest, CallFunctionResponse, GetFunctionsResponse } from "../../messages/function.ts";
import { diagnostics } from "../kind/diagnostics.ts";
import { functionArguments, functionError, functionResult } from "../kind/function-call.ts";
import { text } from "../kind/scalar.ts";
import type { Methods } from "../methods.ts";
import { bind, type RpcTable } from "../rpc-table.ts";
import type { Rpcs } from "../rpc.ts";
import { functions } from "../schema/function-signature.ts";

const getFunctions = {
  request: {},
  response: { functions, diagnostics },
} as const satisfies RpcTable<EmptyRequest, GetFunctionsResponse>;

const callFunction = {
  named: "name",
  request: { name: text, arguments: functionArguments },
  response: { result: functionResult, error: functionError },
  refuse: ([reason]) => ({ error: { text: [reason?.summary, reason?.detail].filter(Boolean).join(": ") } }),
} as const satisfies RpcTable<CallFunctionRequest, CallFunctionResponse>;

/** Returns the RPCs about functions. */
export function functionRpcs(methods: Methods): Rpcs<"getFunctions" | "callFunction"> {
  return {
    getFunctions: bind(getFunctions, methods.getFunctions),
    callFunction: bind(callFunction, methods.callFunction),
  };
}
