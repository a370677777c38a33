// SPDX-License-Identifier: Apache-2.0
import type { DiagnosticsResponse, ValidateStateStoreConfigRequest } from "@tenon/schema";
import { aboutStateStore, checkingRpc, type Rpc } from "../call/rpc.ts";
import { requireConforming } from "../instance/served-instance.ts";
import { validateWith } from "../call/validate-config.ts";

/** Validates a state store's configuration: first against the schema, then with the author's `validate`. */
export const validateStateStoreConfig: Rpc<ValidateStateStoreConfigRequest, DiagnosticsResponse> = checkingRpc(
  "ValidateStateStoreConfig",
  aboutStateStore,
  (instance, { typeName, config }, call) => {
    const { shape, validate, deprecated } = instance.stateStore(typeName);
    requireConforming(shape, config, `the configuration of ${typeName}`);
    return validateWith(shape, config, { subject: typeName, validate, deprecated, writeOnlyAllowed: true }, call);
  },
);
