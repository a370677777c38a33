// SPDX-License-Identifier: Apache-2.0
// Serves a declared provider as a Pulumi plugin, and sends the requests that the provider receives to the parent process.
import { servePulumiProvider } from "@tenon/bridge/pulumi/serve";

// The parent process has ended.
process.once("disconnect", () => process.exit(0));

await servePulumiProvider(async () => {
  const [{ createProvider }, { provider }, { recordingProvider }] = await Promise.all([
    import("@tenon/provider-sdk"),
    import("../provider/served.ts"),
    import("./recording-provider.ts"),
  ]);
  const open = (): ReturnType<typeof recordingProvider> => recordingProvider(createProvider(provider), (request) => process.send!(request));
  return { name: "made", version: "1.0.0", open };
});
