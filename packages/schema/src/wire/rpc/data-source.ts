// SPDX-License-Identifier: Apache-2.0
import type { DiagnosticsResponse } from "../../messages/common.ts";
import type { ReadDataSourceRequest, ReadDataSourceResponse, ValidateDataSourceConfigRequest } from "../../messages/data-source.ts";
import { clientCapabilities, deferred } from "../kind/capabilities.ts";
import { diagnosticsIn } from "../kind/diagnostics.ts";
import { text } from "../kind/scalar.ts";
import { optionalValue, value } from "../kind/value.ts";
import type { Methods } from "../methods.ts";
import { bind, type RpcTable } from "../rpc-table.ts";
import type { Rpcs } from "../rpc.ts";
import { ofDataSource, ofProviderMeta } from "../types.ts";

const validateDataResourceConfig = {
  named: "typeName",
  request: { typeName: text, config: value(ofDataSource) },
  response: { diagnostics: diagnosticsIn(ofDataSource) },
} as const satisfies RpcTable<ValidateDataSourceConfigRequest, DiagnosticsResponse>;

const readDataSource = {
  named: "typeName",
  request: { typeName: text, config: value(ofDataSource), providerMeta: optionalValue(ofProviderMeta), clientCapabilities },
  response: { state: value(ofDataSource), diagnostics: diagnosticsIn(ofDataSource), deferred },
} as const satisfies RpcTable<ReadDataSourceRequest, ReadDataSourceResponse>;

/** Returns the RPCs about data sources. */
export function dataSourceRpcs(methods: Methods): Rpcs<"validateDataResourceConfig" | "readDataSource"> {
  return {
    validateDataResourceConfig: bind(validateDataResourceConfig, methods.validateDataResourceConfig),
    readDataSource: bind(readDataSource, methods.readDataSource),
  };
}
