// SPDX-License-Identifier: Apache-2.0
import type { DiagnosticsResponse, ValidateResourceConfigRequest } from "@tenon/schema";
import { aboutResource, checkingRpc, type Rpc } from "./rpc.ts";
import { requireConforming } from "./served-instance.ts";
import { validateWith } from "./validate-with.ts";

/** What the schema says of a resource's configuration, then what its author says. */
export const validateResourceConfig: Rpc<ValidateResourceConfigRequest, DiagnosticsResponse> = checkingRpc(
  "ValidateResourceConfig",
  aboutResource,
  async (instance, { typeName, config, clientCapabilities }, call) => {
    const { shape, validate, deprecated } = instance.resource(typeName);
    requireConforming(shape, config, `the configuration of ${typeName}`);
    const writeOnlyAllowed = clientCapabilities?.writeOnlyAttributesAllowed === true;
    await validateWith(shape, config, { subject: typeName, validate, deprecated, writeOnlyAllowed }, call);
  },
);
