// SPDX-License-Identifier: Apache-2.0
import type { DiagnosticsResponse, ValidateStateStoreConfigRequest } from "@tenon/schema";
import { aboutStateStore, checkingRpc, type Rpc } from "./rpc.ts";
import { requireConforming } from "./served-instance.ts";
import { validateWith } from "./validate-with.ts";

/** What the schema says of a state store's configuration, then what its author says. */
export const validateStateStoreConfig: Rpc<ValidateStateStoreConfigRequest, DiagnosticsResponse> = checkingRpc(
  "ValidateStateStoreConfig",
  aboutStateStore,
  async (instance, { typeName, config }, call) => {
    const { shape, validate, deprecated } = instance.stateStore(typeName);
    requireConforming(shape, config, `the configuration of ${typeName}`);
    await validateWith(shape, config, { subject: typeName, validate, deprecated, writeOnlyAllowed: true }, call);
  },
);
