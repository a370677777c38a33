// SPDX-License-Identifier: Apache-2.0
// Test files are run by `tofu test` and by @tenon/testing, and must have the same results: exit code, text, JSON log, and changes of objects.
import { join } from "node:path";
import { describePeer } from "@tenon/peers/vitest";
import { afterAll, beforeAll, test } from "vitest";
import { ProviderServer } from "./provider-server.ts";
import { normalOutcome } from "./normalize.ts";
import { readSuites } from "./suites.ts";
import { runInProcess, runWithTofu, SuiteFolder, workshopAddress } from "./suite-sides.ts";
import { logVariable } from "./workshop.ts";

describePeer(["tofu"], "test files", (peers) => {
  const folder = new SuiteFolder();
  let server: ProviderServer;

  beforeAll(async () => {
    const main = join(import.meta.dirname, "workshop-main.ts");
    const env = { TENON_PROVIDER_ADDRESS: workshopAddress, [logVariable]: folder.changesFile };
    server = await ProviderServer.start(main, env);
  });
  afterAll(() => {
    server[Symbol.dispose]();
    folder[Symbol.dispose]();
  });

  for (const suite of readSuites()) {
    test(suite.name, async ({ expect }) => {
      const theirs = await runWithTofu(peers.tofu.path, folder, server.reattach, suite);
      const ours = await runInProcess(folder, suite);
      expect(normalOutcome(ours)).toEqual(normalOutcome(theirs));
    });
  }
});
