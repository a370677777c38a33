// SPDX-License-Identifier: Apache-2.0
import { dynamic, list, nullOf, number, object, of, string, unknown, type Type, type Value } from "@tenon/cty";
import type { CallFunctionResponse } from "@tenon/schema";
import { describe, test } from "vitest";
import { provider as served } from "../../../test/notebook.ts";
import { toPlain } from "../../../test/resource-life.ts";
import { ArgumentError, attr, defineProvider, parameter, type Component } from "../../index.ts";
import { createProvider } from "../create-provider.ts";

const text = (value: string): Value => of(string, value);
const tools = defineProvider({ name: "tools", version: "1.0.0" });

function call(component: Component<undefined>, ...args: readonly Value[]): Promise<CallFunctionResponse> {
  return createProvider(tools.with([component])).callFunction({ name: component.name, arguments: args });
}

describe("callFunction", () => {
  const join = (...args: readonly Value[]): Promise<CallFunctionResponse> =>
    createProvider(served).callFunction({ name: "join", arguments: args });

  test("passes arguments by name, and variadic ones in order", async ({ expect }) => {
    expect(await join(text("-"), text("a"))).toEqual({ result: text("a") });
    expect(await join(text("-"), text("a"), text("b"), text("c"))).toEqual({ result: text("a-b-c") });
    expect(await join(text("-"), nullOf(string))).toEqual({ result: text("none") });
  });

  test("reports a missing, a null and an invalid argument, each at its position", async ({ expect }) => {
    expect(await join(text("-"))).toEqual({
      error: { text: "join takes 2 or more arguments, and got 1: first is missing", functionArgument: 1 },
    });
    expect(await join(nullOf(string), text("a"))).toEqual({ error: { text: "separator: is null, but must not be", functionArgument: 0 } });
    expect(await join(text("----"), text("a"), text("b"), nullOf(string))).toEqual({
      error: { text: "separator must be at most 3 characters long\narguments: is null, but must not be", functionArgument: 0 },
    });
  });

  test("returns an unknown result for an unknown argument, unless the parameter allows unknown values", async ({ expect }) => {
    expect(await join(text("-"), unknown(string))).toEqual({ result: unknown(string) });
    const describeIt = tools.function("describe", {
      parameters: { values: parameter(attr.list(attr.string()), { allowUnknown: true }) },
      returns: attr.string(),
      call: ({ values }) =>
        typeof values === "symbol" ? "unknown" : values.map((value) => (typeof value === "symbol" ? "?" : value)).join(),
    });
    expect(await call(describeIt, unknown(list(string)))).toEqual({ result: text("unknown") });
    expect(await call(describeIt, of(list(string), ["a", unknown(string)]))).toEqual({ result: text("a,?") });
  });

  test("reports an ArgumentError at its argument", async ({ expect }) => {
    const picky = tools.function("picky", {
      parameters: { name: parameter(attr.string()) },
      variadic: parameter(attr.number()),
      returns: attr.bool(),
      call: ({ name }, rest) => {
        if (name === "") throw new ArgumentError("name", "must not be empty");
        if (rest.length > 1) throw new ArgumentError(1, "one is enough", { cause: new Error("really") });
        throw new Error("anything else");
      },
    });
    expect(await call(picky, text(""))).toEqual({ error: { text: "must not be empty", functionArgument: 0 } });
    expect(await call(picky, text("a"), of(number, 1), of(number, 2))).toEqual({
      error: { text: "one is enough: really", functionArgument: 2 },
    });
    expect(await call(picky, text("a"))).toEqual({ error: { text: "anything else" } });
    const none = tools.function("none", { parameters: {}, returns: attr.bool(), call: () => true });
    expect(await call(none, text("a"))).toEqual({ error: { text: "none takes 0 arguments, and got 1", functionArgument: 0 } });
  });

  test("reports a result that does not have the declared type", async ({ expect }) => {
    const wrong = tools.function("wrong", {
      parameters: {},
      returns: attr.object({ a: attr.list(attr.number()) }),
      call: () => ({ a: [1, Number.NaN] }),
    });
    expect(await call(wrong)).toEqual({
      error: { text: "wrong returned an invalid result: a[1] is NaN, but must be a number. This is a bug in the provider." },
    });
  });

  test("accepts and returns values of any type where the type is dynamic", async ({ expect }) => {
    const same = tools.function("same", {
      parameters: { value: parameter(attr.dynamic()) },
      returns: attr.dynamic(),
      call: ({ value }) => value,
    });
    const given: Value = of<Type>(dynamic, { a: [1, "b"] });
    expect(await call(same, given)).toEqual({ result: given });
    const boxed = tools.function("boxed", {
      parameters: {},
      returns: attr.object({ value: attr.dynamic() }),
      call: () => ({ value: given }),
    });
    expect(toPlain((await call(boxed)).result!)).toEqual({ value: { a: [1, "b"] } });
  });
});

test("a function that uses the client is available after the provider is configured", async ({ expect }) => {
  const price = defineProvider({
    name: "price",
    version: "1.0.0",
    schema: { rate: attr.number({ required: true }) },
    configure: ({ config }) => config,
  });
  const convert = price.clientFunction("convert", {
    parameters: { amount: parameter(attr.number()) },
    returns: attr.number(),
    call: ({ amount }, _rest, { client }) => amount * client.rate,
  });
  const provider = createProvider(price.with([convert]));
  expect([...(await provider.getProviderSchema({})).functions.keys()]).toEqual([]);
  expect((await provider.getMetadata({})).functions).toEqual([]);
  expect([...(await provider.getFunctions({})).functions.keys()]).toEqual([]);
  const request = { name: "convert", arguments: [of(number, 3)] };
  expect((await provider.callFunction(request)).error?.text).toContain("Provider price cannot call convert: it is not configured yet");
  await provider.configureProvider({ terraformVersion: "1.12.6", config: of(object({ rate: number }), { rate: 2 }) });
  expect([...(await provider.getFunctions({})).functions.keys()]).toEqual(["convert"]);
  expect(await provider.callFunction(request)).toEqual({ result: of(number, 6) });
});
