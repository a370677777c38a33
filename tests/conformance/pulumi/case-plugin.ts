// SPDX-License-Identifier: Apache-2.0
// Serves the provider of a file of cases as a Pulumi plugin: node case-plugin.ts ENGINE_ADDRESS, with the file in DIFF_CASE_FILE.
import { servePulumiProvider } from "@tenon/bridge/pulumi/serve";

// The parent process has ended.
process.once("disconnect", () => process.exit(0));

await servePulumiProvider(async () => {
  const [{ caseProvider }, { readDiffCases }] = await Promise.all([import("./case-provider.ts"), import("./diff-case.ts")]);
  const file = readDiffCases(process.env["DIFF_CASE_FILE"]!);
  return { name: "case", version: "1.0.0", open: () => caseProvider(file) };
});
