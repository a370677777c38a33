// SPDX-License-Identifier: Apache-2.0
import type { DiagnosticsResponse, ValidateDataSourceConfigRequest } from "@tenon/schema";
import { aboutDataSource, checkingRpc, type Rpc } from "./rpc.ts";
import { requireConforming } from "./served-instance.ts";
import { validateWith } from "./validate-with.ts";

/** What the schema says of a data source's configuration, then what its author says. */
export const validateDataResourceConfig: Rpc<ValidateDataSourceConfigRequest, DiagnosticsResponse> = checkingRpc(
  "ValidateDataResourceConfig",
  aboutDataSource,
  async (instance, { typeName, config }, call) => {
    const { shape, validate, deprecated } = instance.dataSource(typeName);
    requireConforming(shape, config, `the configuration of ${typeName}`);
    await validateWith(shape, config, { subject: typeName, validate, deprecated, writeOnlyAllowed: true }, call);
  },
);
