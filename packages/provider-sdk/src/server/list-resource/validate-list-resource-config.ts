// SPDX-License-Identifier: Apache-2.0
import type { DiagnosticsResponse, ValidateListResourceConfigRequest } from "@tenon/schema";
import { aboutListResource, checkingRpc, type Rpc } from "../call/rpc.ts";
import { requireConforming } from "../instance/served-instance.ts";
import { validateWith } from "../call/validate-config.ts";

/** Validates a list resource's configuration: first against the schema, then with the author's `validate`. */
export const validateListResourceConfig: Rpc<ValidateListResourceConfigRequest, DiagnosticsResponse> = checkingRpc(
  "ValidateListResourceConfig",
  aboutListResource,
  (instance, { typeName, config }, call) => {
    const { shape, validate, deprecated } = instance.listResource(typeName);
    requireConforming(shape, config, `the configuration of the list of ${typeName}`);
    return validateWith(shape, config, { subject: `the list of ${typeName}`, validate, deprecated, writeOnlyAllowed: true }, call);
  },
);
