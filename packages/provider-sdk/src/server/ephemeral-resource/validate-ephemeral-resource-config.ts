// SPDX-License-Identifier: Apache-2.0
import type { DiagnosticsResponse, ValidateEphemeralResourceConfigRequest } from "@tenon/schema";
import { aboutEphemeralResource, checkingRpc, type Rpc } from "../call/rpc.ts";
import { requireConforming } from "../instance/served-instance.ts";
import { validateWith } from "../call/validate-config.ts";

/** Validates an ephemeral resource's configuration: first against the schema, then with the author's `validate`. */
export const validateEphemeralResourceConfig: Rpc<ValidateEphemeralResourceConfigRequest, DiagnosticsResponse> = checkingRpc(
  "ValidateEphemeralResourceConfig",
  aboutEphemeralResource,
  (instance, { typeName, config }, call) => {
    const { shape, validate, deprecated } = instance.ephemeralResource(typeName);
    requireConforming(shape, config, `the configuration of ${typeName}`);
    return validateWith(shape, config, { subject: typeName, validate, deprecated, writeOnlyAllowed: true }, call);
  },
);
