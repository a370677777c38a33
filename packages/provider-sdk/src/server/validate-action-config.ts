// SPDX-License-Identifier: Apache-2.0
import type { DiagnosticsResponse, ValidateActionConfigRequest } from "@tenon/schema";
import { aboutAction, checkingRpc, type Rpc } from "./rpc.ts";
import { requireConforming } from "./served-instance.ts";
import { validateWith } from "./validate-with.ts";

/** What the schema says of an action's configuration, then what its author says. */
export const validateActionConfig: Rpc<ValidateActionConfigRequest, DiagnosticsResponse> = checkingRpc(
  "ValidateActionConfig",
  aboutAction,
  async (instance, { actionType, config }, call) => {
    const { shape, validate, deprecated } = instance.action(actionType);
    requireConforming(shape, config, `the configuration of ${actionType}`);
    // Every core that knows actions knows write-only attributes.
    await validateWith(shape, config, { subject: actionType, validate, deprecated, writeOnlyAllowed: true }, call);
  },
);
