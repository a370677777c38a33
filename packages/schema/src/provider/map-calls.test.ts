// SPDX-License-Identifier: Apache-2.0
import { describe, test } from "vitest";
import { isCallName } from "./call-names.ts";
import { createCalls, mapCalls, unimplementedCalls } from "./map-calls.ts";

const named = createCalls({
  unary: (name) => async (request) => ({ name, request }),
  streaming: (name) =>
    async function* (request) {
      yield { name, request };
    },
});

describe("createCalls", () => {
  test("creates each call from its name", async ({ expect }) => {
    expect(await named.readResource({ typeName: "t" } as never)).toEqual({ name: "readResource", request: { typeName: "t" } });
    expect(await named.stop({})).toEqual({ name: "stop", request: {} });
    expect(await Array.fromAsync(named.listResource({ typeName: "l" } as never))).toEqual([
      { name: "listResource", request: { typeName: "l" } },
    ]);
  });

  test("creates one call for each RPC of protocol 6.11", ({ expect }) => {
    expect(Object.keys(named)).toHaveLength(36);
  });
});

describe("mapCalls", () => {
  test("passes each call and its name to the mapping", async ({ expect }) => {
    const seen: string[] = [];
    const mapped = mapCalls(named, {
      unary: (call, name) => (request, options) => {
        seen.push(name);
        return call(request, options);
      },
      streaming: (call, name) => (request, options) => {
        seen.push(name);
        return call(request, options);
      },
    });
    expect(await mapped.getStates({ typeName: "s" })).toEqual({ name: "getStates", request: { typeName: "s" } });
    expect(await Array.fromAsync(mapped.readStateBytes({} as never))).toEqual([{ name: "readStateBytes", request: {} }]);
    expect(seen).toEqual(["getStates", "readStateBytes"]);
  });
});

test("unimplementedCalls fails in each call, and names the provider and the call", async ({ expect }) => {
  const calls = unimplementedCalls("the echo provider");
  const error = (name: string): object => ({ code: "UNIMPLEMENTED", message: `the echo provider does not implement ${name}` });
  await expect(calls.stop({})).rejects.toMatchObject(error("stop"));
  await expect(Array.fromAsync(calls.listResource({} as never))).rejects.toMatchObject(error("listResource"));
});

test("isCallName accepts only the calls of a provider", ({ expect }) => {
  expect(["stop", "listResource", "getMetadata"].filter((name) => !isCallName(name))).toEqual([]);
  expect(["close", "toString", "constructor", "callProvider"].filter(isCallName)).toEqual([]);
});
