// SPDX-License-Identifier: Apache-2.0
import { setTimeout as sleep } from "node:timers/promises";
import { ProviderError, type CallOptions, type Provider } from "@tenon/schema";
import { describe, test } from "vitest";
import { smallProvider } from "../../test/fixtures/small-provider.ts";
import { stoppingProvider } from "./stopping-provider.ts";

/** One whose changes end when it is asked to stop, with what they had done by then, or when they are given up. */
function working(graceMs: number, { obeys = true } = {}): { readonly provider: Provider; readonly seen: string[] } {
  const seen: string[] = [];
  const stopping = new EventTarget();
  const work = (_: unknown, { signal }: CallOptions = {}): Promise<never> =>
    new Promise((resolve, reject) => {
      stopping.addEventListener("stop", () => resolve({ diagnostics: [] } as never));
      signal?.addEventListener("abort", () => {
        seen.push("given up");
        reject(new ProviderError("CANCELLED", "given up", { cause: signal.reason }));
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
  test("ends as the provider says when it has been asked to stop, an action too", async ({ expect }) => {
    const { provider, seen } = working(60_000);
    const controller = new AbortController();
    const change = apply(provider, controller.signal);
    controller.abort();
    expect(await change).toEqual({ diagnostics: [] });
    const again = new AbortController();
    const kinds: string[] = [];
    for await (const { kind } of provider.invokeAction({} as never, { signal: again.signal })) {
      kinds.push(kind);
      setTimeout(() => again.abort(), 10);
    }
    expect(kinds).toEqual(["progress", "completed"]);
    expect(seen).toEqual(["stop", "stop"]);
  });

  test("is given up where the provider does not end in time, and at once where it has none", async ({ expect }) => {
    const reason = new Error("enough");
    for (const [graceMs, calls] of [
      [50, ["stop", "given up"]],
      [0, ["given up"]],
    ] as const) {
      const { provider, seen } = working(graceMs, { obeys: false });
      const controller = new AbortController();
      const change = apply(provider, controller.signal);
      controller.abort(reason);
      await expect(change).rejects.toMatchObject({ code: "CANCELLED", cause: reason });
      expect(seen).toEqual(calls);
    }
  });

  test("is given up alone where other changes are to go on, and all stop that end together", async ({ expect }) => {
    const { provider, seen } = working(60_000);
    const [one, both] = [new AbortController(), new AbortController()];
    const wanted = [apply(provider, both.signal), apply(provider, both.signal)];
    const unwanted = apply(provider, one.signal);
    one.abort();
    await expect(unwanted).rejects.toMatchObject({ code: "CANCELLED" });
    expect(seen).toEqual(["given up"]);
    both.abort();
    await Promise.all(wanted);
    expect(seen).toEqual(["given up", "stop"]);
  });

  test("that changes nothing is given up at once, and nothing is asked of who has ended", async ({ expect }) => {
    const { provider, seen } = working(60_000);
    const controller = new AbortController();
    const read = provider.readResource({} as never, { signal: controller.signal });
    controller.abort();
    await expect(read).rejects.toMatchObject({ code: "CANCELLED" });
    const late = new AbortController();
    const change = apply(provider, late.signal);
    void provider.stop({});
    await change;
    late.abort();
    await sleep(10);
    expect(seen).toEqual(["given up", "stop"]);
  });
});
