// SPDX-License-Identifier: Apache-2.0
import type { DiagnosticsResponse, ValidateDataSourceConfigRequest } from "@tenon/schema";
import { aboutDataSource, checkingRpc, type Rpc } from "../call/rpc.ts";
import { requireConforming } from "../instance/served-instance.ts";
import { validateWith } from "../call/validate-config.ts";

/** Validates a data source's configuration: first against the schema, then with the author's `validate`. */
export const validateDataResourceConfig: Rpc<ValidateDataSourceConfigRequest, DiagnosticsResponse> = checkingRpc(
  "ValidateDataResourceConfig",
  aboutDataSource,
  (instance, { typeName, config }, call) => {
    const { shape, validate, deprecated } = instance.dataSource(typeName);
    requireConforming(shape, config, `the configuration of ${typeName}`);
    return validateWith(shape, config, { subject: typeName, validate, deprecated, writeOnlyAllowed: true }, call);
  },
);
