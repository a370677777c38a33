// SPDX-License-Identifier: Apache-2.0
import { of, string, toJs, type Value } from "@tenon/cty";
import { ProviderError } from "@tenon/schema";
import { describe, test } from "vitest";
import { safeValue, smallProvider } from "../../test/fixtures/small-provider.ts";
import { type CompletedCall, observedCalls } from "./observed-calls.ts";

const nothing = new Uint8Array();

describe("observed calls", () => {
  test("are reported with masked secrets, and returned as they are", async ({ expect }) => {
    const calls: CompletedCall[] = [];
    const provider = observedCalls(
      smallProvider({ readResource: async ({ currentState }) => ({ newState: currentState, diagnostics: [], private: nothing }) }),
      (call) => calls.push(call),
    );
    const state = safeValue({ name: "known", secret: "hunter1" });
    const response = await provider.readResource({ typeName: "safe", currentState: state, private: nothing });
    expect(toJs(response.newState!)).toMatchObject({ name: "known", secret: "hunter1" });
    const { method, request, outcome, masked: places } = calls.at(-1)!;
    const secret = { path: ".secret", secret: 1 };
    expect(places).toEqual({ request: [{ field: "currentState", ...secret }], response: [{ field: "newState", ...secret }] });
    expect(method).toBe("readResource");
    const masked = { name: "known", secret: "(sensitive value 1)" };
    expect(toJs((request as { readonly currentState: Value }).currentState)).toMatchObject(masked);
    const { response: reported } = outcome as { readonly response: { readonly newState: Value } };
    expect(toJs(reported.newState)).toMatchObject(masked);
  });

  test("are reported with their errors, in which secrets are masked", async ({ expect }) => {
    const calls: CompletedCall[] = [];
    const provider = observedCalls(
      smallProvider({
        readResource: async () => {
          throw new ProviderError("UNAVAILABLE", "the safe does not open with hunter1");
        },
      }),
      (call) => calls.push(call),
    );
    const request = { typeName: "safe", currentState: safeValue({ name: "n", secret: "hunter1" }), private: nothing };
    await expect(provider.readResource(request)).rejects.toThrow("hunter1");
    expect(calls.at(-1)!.outcome).toMatchObject({ kind: "error", error: { message: "the safe does not open with (sensitive value 1)" } });
  });

  test("keep secrets on request", async ({ expect }) => {
    const calls: CompletedCall[] = [];
    const provider = observedCalls(smallProvider({ callFunction: async () => ({ result: of(string, "r") }) }), (call) => calls.push(call), {
      secrets: "keep",
    });
    await provider.callFunction({ name: "f", arguments: [of(string, "a")] });
    expect(calls).toMatchObject([{ method: "callFunction", outcome: { kind: "response" } }]);
    await provider.close();
  });
});
