// SPDX-License-Identifier: Apache-2.0
import type { DiagnosticsResponse, ValidateProviderConfigRequest } from "@tenon/schema";
import { checkingRpc, type Rpc } from "../call/rpc.ts";
import { requireConforming } from "../instance/served-instance.ts";
import { validateWith } from "../call/validate-config.ts";

/** Validates the provider's configuration: first against the schema, then with the author's `validate`. */
export const validateProviderConfig: Rpc<ValidateProviderConfigRequest, DiagnosticsResponse> = checkingRpc(
  "ValidateProviderConfig",
  () => ({}),
  async (instance, { config }, call) => {
    const { provider } = instance;
    requireConforming(provider.shape, config, `the configuration of provider ${provider.name}`);
    await validateWith(
      provider.shape,
      config,
      { subject: `provider ${provider.name}`, validate: provider.validate, deprecated: provider.deprecated, writeOnlyAllowed: true },
      call,
    );
  },
);
