// SPDX-License-Identifier: Apache-2.0
// An apply does not send a configuration to the provider's validation again if the plan has (the difference `validated-once`).
import { openWorkspace } from "@tenon/engine";
import { objectFiles } from "@tenon/engine/configuration";
import { memoryState } from "@tenon/engine/state/stores";
import { attr, createProvider, defineProvider } from "@tenon/provider-sdk";
import { mapCalls, type Provider } from "@tenon/schema";
import { describe, test } from "vitest";

/** Opens a provider. Calls `onValidation` when a resource is validated. */
function observedProvider(onValidation: () => void): Provider {
  const definition = defineProvider({ name: "k", version: "1.0.0", configure: () => undefined });
  const object = definition.resource("object", {
    schema: {
      name: attr.string({ optional: true }),
      title: attr.string({ optional: true, deprecated: "Use name." }),
      made: attr.string({ computed: true }),
    },
    create: ({ planned }) => ({ ...planned, made: "made" }),
    read: ({ state }) => state,
    update: ({ planned }) => ({ ...planned, made: "made" }),
    delete: () => {},
  });
  const provider = createProvider(definition.with([object]));
  const calls = mapCalls(provider, {
    unary: (call, name) => (request, options) => {
      if (name === "validateResourceConfig") onValidation();
      return call(request, options);
    },
    streaming: (call) => call,
  });
  return { ...provider, ...calls };
}

describe("the apply of a planned change", () => {
  test.for([
    { what: "is not validated again if the plan had no diagnostic", body: 'name = "a"', expected: 0 },
    { what: "is validated again after a warning", body: 'title = "a"', expected: 1 },
    { what: "is validated again if values were unknown", body: "name = terraform_data.d.id", expected: 1 },
  ])("$what", async ({ body, expected }, { expect }) => {
    let validations = 0;
    const head = 'terraform {\n  required_providers {\n    k = { source = "tenon/k" }\n  }\n}\nresource "terraform_data" "d" {}\n';
    const configuration = objectFiles({ "main.tf": `${head}resource "k_object" "a" {\n  ${body}\n}\n` });
    const providers = { "tenon/k": async () => observedProvider(() => validations++) };
    const workspace = openWorkspace({ configuration, state: memoryState(), providers });
    await using planned = await workspace.plan();
    expect(validations).toBeGreaterThan(0);
    validations = 0;
    const applied = await planned.apply();
    expect(applied.diagnostics.filter(({ severity }) => severity === "error")).toEqual([]);
    expect(validations).toBe(expected);
  });
});
