// SPDX-License-Identifier: Apache-2.0
import { number, nullOf, of, string, unknown, type Value } from "@tenon/cty";
import { describe, test } from "vitest";
import { createNotebook, joinSignature, replacing } from "../../test/notebook-provider.ts";
import type { CallFunctionResponse } from "../messages/function.ts";
import { callFunction } from "./call-function.ts";

const text = (data: string): Value => of(string, data);
const anything = unknown(string);

describe("callFunction", () => {
  test.for<readonly [string, readonly Value[], CallFunctionResponse, boolean]>([
    ["calls the provider", [text("a"), text("b")], { result: text("a b") }, true],
    ["accepts any number of variadic arguments", [text("a"), text("b"), text("c"), text("d")], { result: text("a b c d") }, true],
    ["passes null to a parameter that allows it", [nullOf(string), text("b")], { result: text("null b") }, true],
    [
      "refuses null for a parameter that does not allow it",
      [text("a"), nullOf(string)],
      { error: { text: "parameter second is null, which is not allowed for function join", functionArgument: 1 } },
      false,
    ],
    [
      "refuses null for a variadic parameter that does not allow it",
      [text("a"), text("b"), text("c"), nullOf(string)],
      { error: { text: "parameter rest is null, which is not allowed for function join", functionArgument: 3 } },
      false,
    ],
    ["returns an unknown result for an unknown argument", [anything, text("b")], { result: anything }, false],
    ["refuses too few arguments", [text("a")], { error: { text: "function join takes at least 2 arguments and got 1" } }, false],
  ])("%s", async ([, args, expected, isCalled], { expect }) => {
    const { provider, calls } = createNotebook();
    expect(await callFunction(provider, "join", joinSignature, args)).toEqual(expected);
    expect(calls).toEqual(isCalled ? ["callFunction"] : []);
  });

  test("passes an unknown argument to a parameter that allows it", async ({ expect }) => {
    const received: Value[] = [];
    const provider = replacing(createNotebook().provider, {
      callFunction: ({ arguments: args }) => (received.push(...args), Promise.resolve({ result: text("known") })),
    });
    expect(await callFunction(provider, "join", joinSignature, [text("a"), anything])).toEqual({ result: text("known") });
    expect(received).toEqual([text("a"), anything]);
  });

  test("rejects a result of another type with INVALID_RESPONSE", async ({ expect }) => {
    const provider = replacing(createNotebook().provider, { callFunction: () => Promise.resolve({ result: of(number, 1) }) });
    await expect(callFunction(provider, "join", joinSignature, [text("a"), text("b")])).rejects.toMatchObject({ code: "INVALID_RESPONSE" });
  });
});
