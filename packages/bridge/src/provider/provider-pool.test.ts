// SPDX-License-Identifier: Apache-2.0
import { attr, createProvider, defineProvider, parameter } from "@tenon/provider-sdk";
import { ProviderError, type Provider } from "@tenon/schema";
import { callFunction } from "@tenon/schema/lifecycle";
import { of, string } from "@tenon/cty";
import { describe, test } from "vitest";
import { ProviderPool, type PoolEvent, type ProviderPoolSettings } from "./provider-pool.ts";

/** Providers that a test opened, with a function that waits until the test lets it go. */
class Opened {
  readonly closed: number[] = [];
  readonly events: PoolEvent["kind"][] = [];
  readonly pool: ProviderPool;
  count = 0;
  /** Number of calls that wait. */
  waiting = 0;
  #gate = Promise.withResolvers<void>();

  constructor(settings: ProviderPoolSettings = {}) {
    this.pool = new ProviderPool({ quietMs: 20, ...settings, onEvent: ({ kind }) => this.events.push(kind) });
  }

  readonly open = async (): Promise<Provider> => {
    const number = (this.count += 1);
    const definition = defineProvider({ name: "waiting", version: "1.0.0", configure: () => "client" });
    const wait = definition.function("wait", {
      summary: "Waits.",
      parameters: { text: parameter(attr.string()) },
      returns: attr.string(),
      call: async ({ text }) => {
        this.waiting += 1;
        await this.#gate.promise;
        return `${text} ${number}`;
      },
    });
    const provider = createProvider(definition.with([wait]));
    const close = async (): Promise<void> => {
      this.closed.push(number);
      await provider.close();
    };
    return { ...provider, close, [Symbol.asyncDispose]: close };
  };

  async call(provider: Provider): Promise<unknown> {
    const { functions } = await provider.getProviderSchema({});
    const { result } = await callFunction(provider, "wait", functions.get("wait")!, [of(string, "called")]);
    return result?.payload;
  }

  letGo(): void {
    this.#gate.resolve();
  }
}

async function until(condition: () => boolean): Promise<void> {
  while (!condition()) await new Promise((resolve) => setTimeout(resolve, 5));
}

describe("a pool of providers", () => {
  test("opens one instance for each key, for any number of users", async ({ expect }) => {
    const opened = new Opened();
    const [a, again, b] = await Promise.all(["a", "a", "b"].map((key) => opened.pool.provider(key, opened.open)));
    expect([a === again, a === b, opened.count]).toEqual([true, false, 2]);
    await opened.pool.close();
    expect([new Set(opened.closed), opened.pool.size]).toEqual([new Set([1, 2]), 0]);
    await expect(opened.pool.provider("a", opened.open)).rejects.toThrow("being stopped");
  });

  test("closes a retired instance after its calls, while a new one serves", async ({ expect }) => {
    const opened = new Opened();
    const old = await opened.pool.provider("a", opened.open);
    const call = opened.call(old);
    await until(() => opened.waiting === 1);
    opened.pool.retire("a");
    const other = await opened.pool.provider("a", opened.open);
    expect([opened.closed, opened.pool.size]).toEqual([[], 2]);
    opened.letGo();
    expect(await call).toBe("called 1");
    await until(() => opened.closed.length === 1);
    expect([opened.closed, await opened.call(other)]).toEqual([[1], "called 2"]);
    await opened.pool.close();
  });

  test("waits for calls when it is closed", async ({ expect }) => {
    const opened = new Opened();
    const call = opened.call(await opened.pool.provider("a", opened.open));
    await until(() => opened.waiting === 1);
    const closing = opened.pool.close();
    expect(opened.closed).toEqual([]);
    opened.letGo();
    expect(await call).toBe("called 1");
    await closing;
    expect(opened.closed).toEqual([1]);
  });

  test("closes an idle instance, and opens a new one for its next user", async ({ expect }) => {
    const opened = new Opened({ idleMs: 40 });
    await opened.pool.provider("a", opened.open);
    await until(() => opened.closed.length === 1);
    await opened.pool.provider("a", opened.open);
    expect(opened.count).toBe(2);
    await opened.pool.close();
  });

  test("closes the instance that was quiet for the longest time if all slots are taken", async ({ expect }) => {
    const opened = new Opened({ maxInstances: 2 });
    await opened.pool.provider("a", opened.open);
    const busy = opened.call(await opened.pool.provider("b", opened.open));
    await until(() => opened.waiting === 1);
    await opened.pool.provider("c", opened.open);
    expect([opened.closed, opened.pool.size]).toEqual([[1], 2]);
    opened.letGo();
    await busy;
    await opened.pool.close();
  });

  test("opens a new instance after one has ended unexpectedly", async ({ expect }) => {
    const opened = new Opened();
    const dying = async (): Promise<Provider> => ({
      ...(await opened.open()),
      getMetadata: () => Promise.reject(new ProviderError("UNAVAILABLE", "it ended")),
    });
    const first = await opened.pool.provider("a", dying);
    await expect(first.getMetadata({})).rejects.toThrow("it ended");
    await until(() => opened.closed.length === 1);
    expect(await opened.pool.provider("a", opened.open)).not.toBe(first);
    expect(opened.events).toEqual(["opened", "lost", "closed", "opened"]);
    await opened.pool.close();
  });

  test("does not retry immediately after several failures, and rejects with the last error until then", async ({ expect }) => {
    const opened = new Opened();
    let attempts = 0;
    const failing = async (): Promise<Provider> => {
      attempts += 1;
      return await Promise.reject(new Error(`failure ${attempts}`));
    };
    await expect(opened.pool.provider("a", failing)).rejects.toThrow("failure 1");
    await expect(opened.pool.provider("a", failing)).rejects.toThrow("failure 2");
    await expect(opened.pool.provider("a", failing)).rejects.toThrow("failure 2");
    expect([attempts, opened.pool.size]).toEqual([2, 0]);
    await until(() => {
      opened.pool.provider("a", opened.open).catch(() => undefined);
      return opened.count === 1;
    });
    await opened.pool.close();
  });

  test("rejects if an instance does not open in time, or if the signal of a user is aborted", async ({ expect }) => {
    const opened = new Opened({ openTimeoutMs: 30 });
    const never = (): Promise<Provider> => new Promise(() => {});
    await expect(opened.pool.provider("a", never)).rejects.toThrow("not ready within 30 ms");
    const slow = new Opened();
    const stop = new AbortController();
    const waiting = slow.pool.provider("a", () => new Promise<Provider>(() => {}), stop.signal);
    stop.abort(new Error("no time"));
    await expect(waiting).rejects.toThrow("no time");
  });
});
