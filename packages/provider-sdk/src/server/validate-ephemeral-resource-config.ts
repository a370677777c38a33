// SPDX-License-Identifier: Apache-2.0
import type { DiagnosticsResponse, ValidateEphemeralResourceConfigRequest } from "@tenon/schema";
import { aboutEphemeralResource, checkingRpc, type Rpc } from "./rpc.ts";
import { requireConforming } from "./served-instance.ts";
import { validateWith } from "./validate-with.ts";

/** What the schema says of an ephemeral resource's configuration, then what its author says. */
export const validateEphemeralResourceConfig: Rpc<ValidateEphemeralResourceConfigRequest, DiagnosticsResponse> = checkingRpc(
  "ValidateEphemeralResourceConfig",
  aboutEphemeralResource,
  async (instance, { typeName, config }, call) => {
    const { shape, validate, deprecated } = instance.ephemeralResource(typeName);
    requireConforming(shape, config, `the configuration of ${typeName}`);
    await validateWith(shape, config, { subject: typeName, validate, deprecated, writeOnlyAllowed: true }, call);
  },
);
