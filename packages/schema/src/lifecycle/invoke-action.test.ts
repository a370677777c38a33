// SPDX-License-Identifier: Apache-2.0
import { of, string, unknown, type Type, type Value } from "@tenon/cty";
import { test } from "vitest";
import { createNotebook, replacing, wordSchema } from "../../test/notebook-provider.ts";
import { errorDiagnostic, warningDiagnostic } from "../diagnostic.ts";
import { impliedType } from "../model/implied-type.ts";
import type { InvokeActionEvent } from "../messages/action.ts";
import type { Provider } from "../provider.ts";
import { invokeAction, planAction } from "./invoke-action.ts";
import { actionType, type ComponentType } from "./resource-type.ts";

const word = (data: object): Value => of<Type>(impliedType(wordSchema.block), data);
const config = word({ of: "the day", word: null });
const said = (name: string): ReturnType<typeof warningDiagnostic> => warningDiagnostic(name, "");

async function action(parts: Partial<Provider> = {}): Promise<ComponentType> {
  const { provider } = createNotebook();
  const schema = await provider.getProviderSchema({});
  return await actionType(
    replacing(provider, {
      getProviderSchema: () => Promise.resolve({ ...schema, actions: new Map([["say", wordSchema]]) }),
      validateActionConfig: () => Promise.resolve({ diagnostics: [said("validated")] }),
      planAction: () => Promise.resolve({ diagnostics: [said("planned")] }),
      async *invokeAction() {
        yield { kind: "progress", message: "saying" };
        yield { kind: "completed", diagnostics: [said("invoked")] };
      },
      ...parts,
    }),
    "say",
    { providerAddress: "p" },
  );
}

const invoke = async (type: ComponentType, value: Value = config): Promise<readonly InvokeActionEvent[]> =>
  await Array.fromAsync(invokeAction(type, value, { address: "action.say.it" }));

test("an action is validated, planned and invoked, and tells everything that was said", async ({ expect }) => {
  const type = await action();
  expect(await planAction(type, config)).toEqual({ diagnostics: [said("validated"), said("planned")] });
  expect(await invoke(type)).toEqual([
    { kind: "progress", message: "saying" },
    { kind: "completed", diagnostics: [said("validated"), said("planned"), said("invoked")] },
  ]);
});

test("what its configuration or its plan is refused for is all there is", async ({ expect }) => {
  const no = errorDiagnostic("No", "");
  const asked = (): never => {
    throw new Error("asked");
  };
  const invalid = await action({
    validateActionConfig: () => Promise.resolve({ diagnostics: [no] }),
    planAction: asked,
    invokeAction: asked,
  });
  expect(await invoke(invalid)).toEqual([{ kind: "completed", diagnostics: [no] }]);
  const refused = await action({ planAction: () => Promise.resolve({ diagnostics: [no] }), invokeAction: asked });
  expect(await invoke(refused)).toEqual([{ kind: "completed", diagnostics: [said("validated"), no] }]);
  const [event] = await invoke(await action({ invokeAction: asked }), word({ of: unknown(string), word: null }));
  expect(event).toMatchObject({ diagnostics: [{ summary: "Configuration contains unknown value" }] });
});

test("a provider that ends without saying how is at fault", async ({ expect }) => {
  const silent = await action({
    async *invokeAction() {
      yield { kind: "progress", message: "saying" };
    },
  });
  expect((await invoke(silent)).at(-1)).toMatchObject({
    kind: "completed",
    diagnostics: [
      {},
      {},
      { summary: "Action did not complete", detail: expect.stringContaining('Provider "p" ended action.say.it without') },
    ],
  });
});

test("a plan is deferred only for who allows it", async ({ expect }) => {
  const type = await action({ planAction: () => Promise.resolve({ diagnostics: [], deferred: { reason: "providerConfigUnknown" } }) });
  expect(await planAction(type, config)).toEqual({ diagnostics: [said("validated")] });
  const clientCapabilities = { deferralAllowed: true, writeOnlyAttributesAllowed: true };
  expect(await planAction(type, config, { clientCapabilities })).toMatchObject({ deferred: { reason: "providerConfigUnknown" } });
});

test("there is none of another name", async ({ expect }) => {
  const { provider } = createNotebook();
  await expect(actionType(provider, "say")).rejects.toMatchObject({ code: "INVALID_REQUEST" });
});
