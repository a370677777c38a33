// SPDX-License-Identifier: Apache-2.0
import { test } from "vitest";
import { silent } from "../logger.ts";
import { defineProvider } from "../index.ts";
import { loadProvider } from "./load-provider.ts";

test("a provider that promised protocol 6 answers over protocol 5 only why it does not", async ({ expect }) => {
  const provider = defineProvider({ name: "modern", version: "1.0.0", protocols: [6] }).with([]);
  const { loadError, createInstance } = await loadProvider(async () => ({ provider }), 5);
  expect(loadError).toMatchObject({ code: "LOAD_FAILED", message: expect.stringContaining("Provider modern speaks protocol 6 only") });
  const { diagnostics } = await createInstance(silent).getProviderSchema({});
  expect(diagnostics).toMatchObject([{ severity: "error", detail: expect.stringContaining("was asked for protocol 5") }]);
  expect((await loadProvider(async () => ({ provider }), 6)).loadError).toBeUndefined();
});
