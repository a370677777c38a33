// SPDX-License-Identifier: Apache-2.0
import { setImmediate as nextTurn } from "node:timers/promises";
import { nullOf, number, object, of, string, toJs, unknown } from "@tenon/cty";
import { ProviderError, type CallOptions, type Provider } from "@tenon/schema";
import { describe, test } from "vitest";
import { smallProvider } from "../../test/fixtures/small-provider.ts";
import { stoppingProvider } from "./stopping-provider.ts";

/** A provider whose changes end with a partial result when it receives StopProvider, or reject when they are cancelled. */
function stoppable(graceMs: number, { obeys = true } = {}): { readonly provider: Provider; readonly seen: string[] } {
  const seen: string[] = [];
  const stopping = new EventTarget();
  const work = (_: unknown, { signal }: CallOptions = {}): Promise<never> =>
    new Promise((resolve, reject) => {
      stopping.addEventListener("stop", () => resolve({ diagnostics: [] } as never));
      signal?.addEventListener("abort", () => {
        seen.push("cancelled");
        reject(new ProviderError("CANCELLED", "cancelled", { cause: signal.reason }));
      });
    });
  const inner = smallProvider({
    applyResourceChange: work,
    readResource: work,
    async *invokeAction(request, options) {
      yield { kind: "progress", message: "going" };
      await work(request, options);
      yield { kind: "completed", diagnostics: [] };
    },
    stop: async () => {
      seen.push("stop");
      if (obeys) stopping.dispatchEvent(new Event("stop"));
      return { error: "" };
    },
  });
  return { provider: stoppingProvider(inner, graceMs), seen };
}

const apply = (provider: Provider, signal?: AbortSignal): Promise<unknown> =>
  provider.applyResourceChange({} as never, signal ? { signal } : {});

describe("a change whose signal is aborted", () => {
  test("returns the result of the provider after StopProvider, also for an action", async ({ expect }) => {
    const { provider, seen } = stoppable(60_000);
    const controller = new AbortController();
    const change = apply(provider, controller.signal);
    controller.abort();
    expect(await change).toEqual({ diagnostics: [] });
    const again = new AbortController();
    const kinds: string[] = [];
    for await (const { kind } of provider.invokeAction({} as never, { signal: again.signal })) {
      kinds.push(kind);
      setImmediate(() => again.abort());
    }
    expect(kinds).toEqual(["progress", "completed"]);
    expect(seen).toEqual(["stop", "stop"]);
  });

  test("is cancelled when the provider does not end within its grace period, at once when that is zero", async ({ expect }) => {
    const reason = new Error("enough");
    for (const [graceMs, calls] of [
      [50, ["stop", "cancelled"]],
      [0, ["cancelled"]],
    ] as const) {
      const { provider, seen } = stoppable(graceMs, { obeys: false });
      const controller = new AbortController();
      const change = apply(provider, controller.signal);
      controller.abort(reason);
      await expect(change).rejects.toMatchObject({ code: "CANCELLED", cause: reason });
      expect(seen).toEqual(calls);
    }
  });

  test("is cancelled alone while other changes go on, and StopProvider is sent when all are aborted", async ({ expect }) => {
    const { provider, seen } = stoppable(60_000);
    const [one, both] = [new AbortController(), new AbortController()];
    const others = [apply(provider, both.signal), apply(provider, both.signal)];
    const aborted = apply(provider, one.signal);
    one.abort();
    await expect(aborted).rejects.toMatchObject({ code: "CANCELLED" });
    expect(seen).toEqual(["cancelled"]);
    both.abort();
    await Promise.all(others);
    expect(seen).toEqual(["cancelled", "stop"]);
  });

  test("is reported as cancelled, not as an error of the provider, when it ends without a result", async ({ expect }) => {
    const done = of(object({ id: string, size: number }), { id: "a", size: 1 });
    const unfinished = of(done.type, { id: "a", size: unknown(number) });
    const results = [nullOf(done.type), unfinished, done];
    const started = Promise.withResolvers<void>();
    const inner = smallProvider({
      applyResourceChange: async () => ({
        newState: results.shift()!,
        private: new Uint8Array(),
        diagnostics: [],
        legacyTypeSystem: false,
      }),
      async *invokeAction(_, { signal } = {}) {
        yield { kind: "progress", message: "going" };
        await new Promise((resolve) => {
          signal?.addEventListener("abort", resolve);
          started.resolve();
        });
      },
      stop: async () => ({ error: "" }),
    });
    const provider = stoppingProvider(inner, 20);
    const request = { typeName: "thing", plannedState: done } as never;
    const aborted = { signal: AbortSignal.abort(new Error("enough")) };
    const missing = await provider.applyResourceChange(request, aborted);
    expect(missing).toMatchObject({ newState: nullOf(done.type), diagnostics: [{ severity: "error", summary: "Operation cancelled" }] });
    const half = await provider.applyResourceChange(request, aborted);
    expect(toJs(half.newState)).toEqual({ id: "a", size: null });
    expect(half.diagnostics).toMatchObject([{ summary: "Operation cancelled" }]);
    // A change that is complete despite StopProvider is no error.
    expect(await provider.applyResourceChange(request, aborted)).toMatchObject({ newState: done, diagnostics: [] });

    const controller = new AbortController();
    const events = Array.fromAsync(provider.invokeAction({ actionType: "thing" } as never, { signal: controller.signal }));
    void started.promise.then(() => controller.abort());
    await expect(events).rejects.toMatchObject({
      code: "CANCELLED",
      message: "invokeAction of thing was cancelled by its caller, and the provider did not report its result",
    });
  });

  test("is cancelled at once when the call is a read, and has no effect after the call has ended", async ({ expect }) => {
    const { provider, seen } = stoppable(60_000);
    const controller = new AbortController();
    const read = provider.readResource({} as never, { signal: controller.signal });
    controller.abort();
    await expect(read).rejects.toMatchObject({ code: "CANCELLED" });
    const late = new AbortController();
    const change = apply(provider, late.signal);
    void provider.stop({});
    await change;
    late.abort();
    await nextTurn();
    expect(seen).toEqual(["cancelled", "stop"]);
  });
});
