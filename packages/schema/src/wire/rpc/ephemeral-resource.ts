// SPDX-License-Identifier: Apache-2.0
import type { DiagnosticsResponse } from "../../messages/common.ts";
import type {
  CloseEphemeralResourceRequest,
  OpenEphemeralResourceRequest,
  OpenEphemeralResourceResponse,
  RenewEphemeralResourceRequest,
  RenewEphemeralResourceResponse,
  ValidateEphemeralResourceConfigRequest,
} from "../../messages/ephemeral-resource.ts";
import { clientCapabilities, deferred } from "../kind/capabilities.ts";
import { diagnostics, diagnosticsIn } from "../kind/diagnostics.ts";
import { optionalBytes, optionalTime, text } from "../kind/scalar.ts";
import { value } from "../kind/value.ts";
import type { Methods } from "../methods.ts";
import { bind, type RpcTable } from "../rpc-table.ts";
import type { Rpcs } from "../rpc.ts";
import { ofEphemeralResource } from "../types.ts";

const validateEphemeralResourceConfig = {
  named: "typeName",
  request: { typeName: text, config: value(ofEphemeralResource) },
  response: { diagnostics: diagnosticsIn(ofEphemeralResource) },
} as const satisfies RpcTable<ValidateEphemeralResourceConfigRequest, DiagnosticsResponse>;

const openEphemeralResource = {
  named: "typeName",
  request: { typeName: text, config: value(ofEphemeralResource), clientCapabilities },
  response: {
    diagnostics: diagnosticsIn(ofEphemeralResource),
    renewAt: optionalTime,
    result: value(ofEphemeralResource),
    private: optionalBytes,
    deferred,
  },
} as const satisfies RpcTable<OpenEphemeralResourceRequest, OpenEphemeralResourceResponse>;

const renewEphemeralResource = {
  request: { typeName: text, private: optionalBytes },
  response: { diagnostics, renewAt: optionalTime, private: optionalBytes },
} as const satisfies RpcTable<RenewEphemeralResourceRequest, RenewEphemeralResourceResponse>;

const closeEphemeralResource = {
  request: { typeName: text, private: optionalBytes },
  response: { diagnostics },
} as const satisfies RpcTable<CloseEphemeralResourceRequest, DiagnosticsResponse>;

/** Returns the RPCs about ephemeral resources. */
export function ephemeralResourceRpcs(
  methods: Methods,
): Rpcs<"validateEphemeralResourceConfig" | "openEphemeralResource" | "renewEphemeralResource" | "closeEphemeralResource"> {
  return {
    validateEphemeralResourceConfig: bind(validateEphemeralResourceConfig, methods.validateEphemeralResourceConfig),
    openEphemeralResource: bind(openEphemeralResource, methods.openEphemeralResource),
    renewEphemeralResource: bind(renewEphemeralResource, methods.renewEphemeralResource),
    closeEphemeralResource: bind(closeEphemeralResource, methods.closeEphemeralResource),
  };
}
