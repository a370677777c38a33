// SPDX-License-Identifier: Apache-2.0
import type { DiagnosticsResponse, ValidateListResourceConfigRequest } from "@tenon/schema";
import { aboutListResource, checkingRpc, type Rpc } from "./rpc.ts";
import { requireConforming } from "./served-instance.ts";
import { validateWith } from "./validate-with.ts";

/** What the schema says of a list's configuration, then what its author says. */
export const validateListResourceConfig: Rpc<ValidateListResourceConfigRequest, DiagnosticsResponse> = checkingRpc(
  "ValidateListResourceConfig",
  aboutListResource,
  async (instance, { typeName, config }, call) => {
    const { shape, validate, deprecated } = instance.listResource(typeName);
    requireConforming(shape, config, `the configuration of the list of ${typeName}`);
    await validateWith(shape, config, { subject: `the list of ${typeName}`, validate, deprecated, writeOnlyAllowed: true }, call);
  },
);
