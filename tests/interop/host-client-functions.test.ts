// SPDX-License-Identifier: Apache-2.0
// Functions that a provider has only once it is configured: OpenTofu asks for them then, and so does our client.
import { type LaunchOptions, openProvider } from "@tenon/plugin-host";
import { test } from "vitest";

const program = `
import { attr, defineProvider, parameter } from "@tenon/provider-sdk";
import { serve } from "@tenon/provider-sdk/serve";

const price = defineProvider({
  name: "price",
  version: "1.0.0",
  schema: { rate: attr.number({ required: true }) },
  configure: ({ config }) => config,
});
const twice = price.function("twice", {
  parameters: { amount: parameter(attr.number()) },
  returns: attr.number(),
  call: ({ amount }) => amount * 2,
});
const convert = price.clientFunction("convert", {
  parameters: { amount: parameter(attr.number()) },
  returns: attr.number(),
  call: ({ amount }, _rest, { client }) => amount * client.rate,
});
await serve(async () => ({ provider: price.with([twice, convert]) }));
`;

test.for([5, 6] as const)("are there over protocol %i, and see the configuration", async (version, { expect }) => {
  const launch: LaunchOptions = {
    command: [process.execPath, "--input-type=module-typescript", "-e", program],
    cwd: import.meta.dirname,
    protocolVersions: [version],
  };
  await using client = await openProvider(launch, { config: { rate: 3 } });
  expect([...(await client.provider.getProviderSchema({})).functions.keys()]).toEqual(["twice"]);
  expect([...client.schema.functions.keys()].sort()).toEqual(["convert", "twice"]);
  expect(await Promise.all([client.function("twice", 7), client.function("convert", 7)])).toEqual([14, 21]);
});
