// SPDX-License-Identifier: Apache-2.0
// Functions that a provider has only after its configuration: our client requests them then, as OpenTofu does.
import { describePeer } from "@tenon/peers/vitest";
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

test.for([5, 6] as const)(
  "the functions of a configured provider can be called over protocol %i, and use its configuration",
  async (version, { expect }) => {
    const launch: LaunchOptions = {
      command: [process.execPath, "--input-type=module-typescript", "-e", program],
      cwd: import.meta.dirname,
      protocolVersions: [version],
    };
    await using client = await openProvider(launch, { config: { rate: 3 } });
    expect([...(await client.provider.getProviderSchema({})).functions.keys()]).toEqual(["twice"]);
    expect([...(await client.functions()).keys()].sort()).toEqual(["convert", "twice"]);
    expect(await Promise.all([client.function("twice", 7), client.function("convert", 7)])).toEqual([14, 21]);
  },
);

describePeer(["panicking-provider"], "a provider that panics in GetFunctions", ({ "panicking-provider": peer }) => {
  test.for([5, 6] as const)("can be opened over protocol %i, and its schema's functions can be called", async (version, { expect }) => {
    await using client = await openProvider([peer.path, "-protocol", String(version)]);
    expect(await client.function("shout", "hello")).toBe("HELLO");
    // Only a call of a function that the schema does not have sends GetFunctions.
    await expect(client.function("whisper", "hello")).rejects.toMatchObject({
      code: "UNAVAILABLE",
      message: expect.stringContaining("GetFunctions"),
    });
  });
});
