// SPDX-License-Identifier: Apache-2.0
import type { DiagnosticsResponse, ValidateProviderConfigRequest } from "@tenon/schema";
import { checkingRpc, type Rpc } from "./rpc.ts";
import { requireConforming } from "./served-instance.ts";
import { validateWith } from "./validate-with.ts";

/** What the schema says of the provider's configuration, then what its author says. */
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
