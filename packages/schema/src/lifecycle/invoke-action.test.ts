// SPDX-License-Identifier: Apache-2.0
import { of, string, unknown, type Type, type Value } from "@tenon/cty";
import { test } from "vitest";
import { createNotebook, replacing, wordSchema } from "../../test/notebook-provider.ts";
import { errorDiagnostic, warningDiagnostic } from "../diagnostic.ts";
import { impliedType } from "../model/implied-type.ts";
import type { InvokeActionEvent } from "../messages/action.ts";
import type { Provider } from "../provider/provider.ts";
import { invokeAction, planAction } from "./invoke-action.ts";
import { actionType, type ComponentType } from "./resource-type.ts";

const word = (data: object): Value => of<Type>(impliedType(wordSchema.block), data);
const config = word({ of: "the day", word: null });
const warned = (name: string): ReturnType<typeof warningDiagnostic> => warningDiagnostic(name, "");

async function action(parts: Partial<Provider> = {}): Promise<ComponentType> {
  const { provider } = createNotebook();
  const schema = await provider.getProviderSchema({});
  return await actionType(
    replacing(provider, {
      getProviderSchema: () => Promise.resolve({ ...schema, actions: new Map([["say", wordSchema]]) }),
      validateActionConfig: () => Promise.resolve({ diagnostics: [warned("validated")] }),
      planAction: () => Promise.resolve({ diagnostics: [warned("planned")] }),
      async *invokeAction() {
        yield { kind: "progress", message: "saying" };
        yield { kind: "completed", diagnostics: [warned("invoked")] };
      },
      ...parts,
    }),
    "say",
    { providerAddress: "p" },
  );
}

const invoke = async (type: ComponentType, value: Value = config): Promise<readonly InvokeActionEvent[]> =>
  await Array.fromAsync(invokeAction(type, value, { address: "action.say.it" }));

test("validates, plans and invokes an action, and returns the diagnostics of all three", async ({ expect }) => {
  const type = await action();
  expect(await planAction(type, config)).toEqual({ diagnostics: [warned("validated"), warned("planned")] });
  expect(await invoke(type)).toEqual([
    { kind: "progress", message: "saying" },
    { kind: "completed", diagnostics: [warned("validated"), warned("planned"), warned("invoked")] },
  ]);
});

test("does not invoke an action whose configuration or plan has errors", async ({ expect }) => {
  const no = errorDiagnostic("No", "");
  const unexpectedCall = (): never => {
    throw new Error("unexpected call");
  };
  const invalid = await action({
    validateActionConfig: () => Promise.resolve({ diagnostics: [no] }),
    planAction: unexpectedCall,
    invokeAction: unexpectedCall,
  });
  expect(await invoke(invalid)).toEqual([{ kind: "completed", diagnostics: [no] }]);
  const refused = await action({ planAction: () => Promise.resolve({ diagnostics: [no] }), invokeAction: unexpectedCall });
  expect(await invoke(refused)).toEqual([{ kind: "completed", diagnostics: [warned("validated"), no] }]);
  const [event] = await invoke(await action({ invokeAction: unexpectedCall }), word({ of: unknown(string), word: null }));
  expect(event).toMatchObject({ diagnostics: [{ summary: "Configuration contains unknown value" }] });
});

test("reports a provider that ends the stream without a completed event", async ({ expect }) => {
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

test("returns a deferral only if the caller allows it", async ({ expect }) => {
  const type = await action({ planAction: () => Promise.resolve({ diagnostics: [], deferred: { reason: "providerConfigUnknown" } }) });
  expect(await planAction(type, config)).toEqual({ diagnostics: [warned("validated")] });
  const clientCapabilities = { deferralAllowed: true, writeOnlyAttributesAllowed: true };
  expect(await planAction(type, config, { clientCapabilities })).toMatchObject({ deferred: { reason: "providerConfigUnknown" } });
});

test("actionType rejects an unknown action type", async ({ expect }) => {
  const { provider } = createNotebook();
  await expect(actionType(provider, "say")).rejects.toMatchObject({ code: "INVALID_REQUEST" });
});
