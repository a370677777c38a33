// SPDX-License-Identifier: Apache-2.0
import type { DiagnosticsResponse, ValidateResourceConfigRequest } from "@tenon/schema";
import { aboutResource, checkingRpc, type Rpc } from "../call/rpc.ts";
import { requireConforming } from "../instance/served-instance.ts";
import { validateWith } from "../call/validate-config.ts";

/** Validates a resource's configuration: first against the schema, then with the author's `validate`. */
export const validateResourceConfig: Rpc<ValidateResourceConfigRequest, DiagnosticsResponse> = checkingRpc(
  "ValidateResourceConfig",
  aboutResource,
  (instance, { typeName, config, clientCapabilities }, call) => {
    const { shape, validate, deprecated } = instance.resource(typeName);
    requireConforming(shape, config, `the configuration of ${typeName}`);
    const writeOnlyAllowed = clientCapabilities?.writeOnlyAttributesAllowed === true;
    return validateWith(shape, config, { subject: typeName, validate, deprecated, writeOnlyAllowed }, call);
  },
);
