// SPDX-License-Identifier: Apache-2.0
import { test } from "vitest";
import { silentLogger } from "../logger.ts";
import { defineProvider } from "../index.ts";
import { loadProvider } from "./load-provider.ts";

test("a provider that supports only protocol 6 answers protocol 5 calls with an error", async ({ expect }) => {
  const provider = defineProvider({ name: "modern", version: "1.0.0", protocols: [6] }).with([]);
  const { loadError, createInstance } = await loadProvider(async () => ({ provider }), 5);
  expect(loadError).toMatchObject({ code: "LOAD_FAILED", message: expect.stringContaining("Provider modern speaks protocol 6 only") });
  const { diagnostics } = await createInstance(silentLogger).getProviderSchema({});
  expect(diagnostics).toMatchObject([{ severity: "error", detail: expect.stringContaining("the host negotiated protocol 5") }]);
  expect((await loadProvider(async () => ({ provider }), 6)).loadError).toBeUndefined();
});
