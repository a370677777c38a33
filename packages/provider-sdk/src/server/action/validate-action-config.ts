// SPDX-License-Identifier: Apache-2.0
import type { DiagnosticsResponse, ValidateActionConfigRequest } from "@tenon/schema";
import { aboutAction, checkingRpc, type Rpc } from "../call/rpc.ts";
import { requireConforming } from "../instance/served-instance.ts";
import { validateWith } from "../call/validate-config.ts";

/** Validates an action's configuration: first against the schema, then with the author's `validate`. */
export const validateActionConfig: Rpc<ValidateActionConfigRequest, DiagnosticsResponse> = checkingRpc(
  "ValidateActionConfig",
  aboutAction,
  (instance, { actionType, config }, call) => {
    const { shape, validate, deprecated } = instance.action(actionType);
    requireConforming(shape, config, `the configuration of ${actionType}`);
    // Every core that supports actions supports write-only attributes.
    return validateWith(shape, config, { subject: actionType, validate, deprecated, writeOnlyAllowed: true }, call);
  },
);
