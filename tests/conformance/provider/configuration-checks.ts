// SPDX-License-Identifier: Apache-2.0
import { hasErrors } from "@tenon/schema";
import type { Random } from "@tenon/testing/generate";
import { responseOf, type ProviderResponse } from "./response.ts";
import { makeConfig } from "./generate/configuration.ts";
import type { CallBoth } from "./call.ts";
import type { Sides } from "./sides.ts";

const verdict = ({ diagnostics }: ProviderResponse): string => (hasErrors(diagnostics) ? "invalid" : "valid");

/** One call about a data source or the provider's configuration. */
export async function checkConfiguration(random: Random, { declared }: Sides, ask: CallBoth): Promise<void> {
  const wishes = { unknowns: random.chance(0.3), faults: random.chance(0.4) };
  const dataSource = random.chance(0.8) ? random.pick(declared.dataSources) : undefined;
  if (dataSource === undefined) {
    const config = makeConfig(random, declared.config, wishes);
    return void (await ask({
      rpc: "ValidateProviderConfig",
      request: { config },
      sort: verdict,
      ask: async (provider) => responseOf((await provider.validateProviderConfig({ config })).diagnostics),
    }));
  }
  const typeName = `${declared.name}_${dataSource.name}`;
  if (random.chance(0.5)) {
    const request = { typeName, config: makeConfig(random, dataSource, wishes) };
    return void (await ask({
      rpc: "ValidateDataResourceConfig",
      request,
      sort: verdict,
      ask: async (provider) => responseOf((await provider.validateDataResourceConfig(request)).diagnostics),
    }));
  }
  const request = { typeName, config: makeConfig(random, dataSource, { unknowns: false, faults: false }) };
  await ask({
    rpc: "ReadDataSource",
    request,
    sort: ({ diagnostics }) => (hasErrors(diagnostics) ? "failed" : "read"),
    ask: async (provider) => {
      const { diagnostics, state } = await provider.readDataSource(request);
      return responseOf(diagnostics, { state });
    },
  });
}
