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
    ["calls", [text("a"), text("b")], { result: text("a b") }, true],
    ["takes any number at the end", [text("a"), text("b"), text("c"), text("d")], { result: text("a b c d") }, true],
    ["hands on null where it may be", [nullOf(string), text("b")], { result: text("null b") }, true],
    [
      "refuses null where it may not be",
      [text("a"), nullOf(string)],
      { error: { text: "parameter second is null, which is not allowed for function join", functionArgument: 1 } },
      false,
    ],
    [
      "refuses null at the end too",
      [text("a"), text("b"), text("c"), nullOf(string)],
      { error: { text: "parameter rest is null, which is not allowed for function join", functionArgument: 3 } },
      false,
    ],
    ["knows no result of what is unknown", [anything, text("b")], { result: anything }, false],
    ["refuses too few", [text("a")], { error: { text: "function join takes at least 2 arguments and got 1" } }, false],
  ])("%s", async ([, args, expected, asked], { expect }) => {
    const { provider, calls } = createNotebook();
    expect(await callFunction(provider, "join", joinSignature, args)).toEqual(expected);
    expect(calls).toEqual(asked ? ["callFunction"] : []);
  });

  test("hands on an unknown argument where it may be", async ({ expect }) => {
    const handedOn: Value[] = [];
    const provider = replacing(createNotebook().provider, {
      callFunction: ({ arguments: args }) => (handedOn.push(...args), Promise.resolve({ result: text("known") })),
    });
    expect(await callFunction(provider, "join", joinSignature, [text("a"), anything])).toEqual({ result: text("known") });
    expect(handedOn).toEqual([text("a"), anything]);
  });

  test("a result of another type is the provider's fault", async ({ expect }) => {
    const provider = replacing(createNotebook().provider, { callFunction: () => Promise.resolve({ result: of(number, 1) }) });
    await expect(callFunction(provider, "join", joinSignature, [text("a"), text("b")])).rejects.toMatchObject({ code: "INVALID_RESPONSE" });
  });
});
