// SPDX-License-Identifier: Apache-2.0
import { inspect } from "node:util";
import { number, of, string, toJs } from "@tenon/cty";
import { convert } from "@tenon/cty/convert";
import { errorDiagnostic, type FunctionSignature, type Provider, ProviderError, warningDiagnostic } from "@tenon/schema";
import { describe, test } from "vitest";
import { smallProvider } from "../../test/fixtures/small-provider.ts";
import { openProvider } from "./open-provider.ts";

const accepting: Partial<Provider> = {
  validateProviderConfig: async () => ({ diagnostics: [] }),
  configureProvider: async () => ({ diagnostics: [] }),
  validateListResourceConfig: async () => ({ diagnostics: [] }),
};

describe("openProvider", () => {
  test("closes a provider that rejects its configuration, and reports all its diagnostics", async ({ expect }) => {
    let closed = 0;
    const close = async (): Promise<void> => {
      closed++;
    };
    const diagnostics = [warningDiagnostic("Old", ""), errorDiagnostic("No", "Not today."), errorDiagnostic("Never", "")];
    const opening = openProvider(smallProvider({ ...accepting, close, configureProvider: async () => ({ diagnostics }) }));
    await expect(opening).rejects.toMatchObject({
      code: "DIAGNOSTICS",
      message: "configuration of the provider failed: No: Not today.\n\nNever",
      diagnostics,
    });
    expect(closed).toBe(1);
    await expect(openProvider(smallProvider({ ...accepting, close }), { config: { nmae: "x" } })).rejects.toMatchObject({
      code: "INVALID_CONFIG",
    });
    expect(closed).toBe(2);
  });

  test("requests the functions of a configured provider on the first lookup, and reports its errors", async ({ expect }) => {
    const signature = { parameters: [], returnType: string } as unknown as FunctionSignature;
    let configured = false;
    const calls: Partial<Provider> = {
      ...accepting,
      configureProvider: async () => {
        configured = true;
        return { diagnostics: [] };
      },
      getFunctions: async () => ({ functions: new Map(configured ? [["late", signature]] : []), diagnostics: [] }),
    };
    await using client = await openProvider(smallProvider(calls));
    expect([...(await client.functions()).keys()]).toEqual(["late"]);
    // A provider that is older than GetFunctions has only the functions of its schema.
    await using older = await openProvider(smallProvider(accepting));
    expect([...(await older.functions()).keys()]).toEqual([]);
    const refusing = smallProvider({
      ...calls,
      getFunctions: async () => ({ functions: new Map(), diagnostics: [errorDiagnostic("No list", "")] }),
    });
    await using refused = await openProvider(refusing);
    await expect(refused.function("late")).rejects.toMatchObject({
      code: "DIAGNOSTICS",
      message: "functions of the provider failed: No list",
    });
    const lost = new ProviderError("UNAVAILABLE", "gone");
    await using ending = await openProvider(smallProvider({ ...calls, getFunctions: () => Promise.reject(lost) }));
    await expect(ending.function("late")).rejects.toBe(lost);
  });

  test("creates a provider with a factory, and closes it with the client", async ({ expect }) => {
    const signals: unknown[] = [];
    const { signal } = new AbortController();
    let closed = 0;
    const factory = async (options?: { readonly signal?: AbortSignal }): Promise<Provider> => {
      signals.push(options?.signal);
      return smallProvider({
        ...accepting,
        close: async () => {
          closed++;
        },
      });
    };
    {
      await using client = await openProvider(factory, { signal });
      expect(client.name).toBe("the provider");
    }
    expect([signals, closed]).toEqual([[signal], 1]);
  });

  test("reads a text as a source address unless it is a path or the file name of a provider", async ({ expect }) => {
    const noSources = {
      hosts: new Map(),
      credentials: new Map(),
      ociCredentials: [],
      providerInstallation: { devOverrides: new Map(), methods: [] },
    };
    for (const address of ["hashicorp/time", "registry.example.com/hashicorp/time"]) {
      await expect(openProvider(address, { install: { cliConfig: noSources } }), address).rejects.toMatchObject({
        code: "PROVIDER_NOT_FOUND",
        message: expect.stringContaining("the CLI configuration allows no source"),
      });
    }
    const flavours = [
      ["opentofu", "refers to registry.opentofu.org; for registry.terraform.io add that host"],
      ["terraform", "refers to registry.terraform.io; for registry.opentofu.org add that host"],
    ] as const;
    for (const [flavour, hint] of flavours) {
      await expect(openProvider("hashicorp/time", { install: { cliConfig: noSources, flavour } })).rejects.toThrow(hint);
    }
    await expect(openProvider("time")).rejects.toMatchObject({
      code: "INVALID_ADDRESS",
      message: expect.stringContaining('"hashicorp/time"'),
    });
    await expect(openProvider("./time", { version: "~> 1.0" })).rejects.toMatchObject({ code: "INVALID_OPTIONS" });
    for (const path of ["./time", "../time", "/no/such/time", "C:\\time.exe", "terraform-provider-none"]) {
      await expect(openProvider(path), path).rejects.toMatchObject({ code: "EXECUTABLE_NOT_FOUND" });
    }
  });
});

describe("a provider that is not configured", () => {
  const validating: Partial<Provider> = {
    getResourceIdentitySchemas: async () => ({ identitySchemas: new Map(), diagnostics: [] }),
    validateResourceConfig: async ({ config }) => ({
      diagnostics: (toJs(config) as { readonly name: unknown }).name === "bad" ? [errorDiagnostic("Bad name", "")] : [],
    }),
  };

  test("validates configurations", async ({ expect }) => {
    await using client = await openProvider(smallProvider(validating), { configure: false });
    expect(await client.resource("safe").validate({ name: "good" })).toEqual([]);
    await expect(client.resource("safe").validate({ name: "bad" })).rejects.toMatchObject({ code: "DIAGNOSTICS" });
  });

  test("validates its own configuration when the caller gives one", async ({ expect }) => {
    const refusing = { ...validating, validateProviderConfig: async () => ({ diagnostics: [errorDiagnostic("No", "")] }) };
    const opening = openProvider(smallProvider(refusing), { configure: false, config: { name: "x" } });
    await expect(opening).rejects.toMatchObject({ code: "DIAGNOSTICS" });
  });

  test("rejects plan and list without calling the provider", async ({ expect }) => {
    await using client = await openProvider(smallProvider(validating), { configure: false });
    const refusal = {
      code: "INVALID_OPTIONS",
      message: "plan of safe needs a configured provider; open the provider without configure: false",
    };
    await expect(client.resource("safe").plan({})).rejects.toMatchObject(refusal);
    await expect(Array.fromAsync(client.list("safe", {}))).rejects.toMatchObject({ code: "INVALID_OPTIONS" });
  });
});

test("JSON.stringify writes a state with integers beyond the range of a double", async ({ expect }) => {
  const provider = smallProvider({
    ...accepting,
    async *listResource({ config }) {
      yield { displayName: "one", resourceObject: config, diagnostics: [] };
    },
  });
  await using client = await openProvider(provider);
  const config = { name: "n", any: { id: 2n ** 70n, ids: [2n ** 71n, 1], ratio: convert(of(string, "0.1234567890123456789"), number) } };
  const [found] = await Array.fromAsync(client.list("safe", config, { includeState: true }));
  expect((found!.state as { readonly any: { readonly id: unknown } }).any.id).toBe(2n ** 70n);
  expect(JSON.parse(JSON.stringify(found!.state))).toMatchObject({
    name: "n",
    any: { id: "1180591620717411303424", ids: ["2361183241434822606848", 1], ratio: "0.1234567890123456789" },
  });
});

describe("list", () => {
  test("sends a limit of 100 by default, and stops at its limit", async ({ expect }) => {
    const limits: unknown[] = [];
    const provider = smallProvider({
      ...accepting,
      async *listResource({ limit }) {
        limits.push(limit);
        for (let index = 0; ; index++) yield { displayName: String(index), diagnostics: [] };
      },
    });
    await using client = await openProvider(provider);
    expect(await Array.fromAsync(client.list("safe", {}))).toHaveLength(100);
    expect(await Array.fromAsync(client.list("safe", {}, { limit: 3 }))).toHaveLength(3);
    for await (const { displayName } of client.list("safe", {}, { limit: Infinity })) if (displayName === "150") break;
    expect(limits).toEqual([100, 3, Number.MAX_SAFE_INTEGER]);
    for (const limit of [0, -1, 1.5, Number.NaN]) {
      await expect(Array.fromAsync(client.list("safe", {}, { limit }))).rejects.toMatchObject({ code: "INVALID_OPTIONS" });
    }
  });

  test("yields all results before it reports an error", async ({ expect }) => {
    const warnings: string[] = [];
    const provider = smallProvider({
      ...accepting,
      async *listResource() {
        yield { displayName: "one", diagnostics: [warningDiagnostic("Slow", "")] };
        yield { displayName: "", diagnostics: [errorDiagnostic("Cannot read two", "")] };
        yield { displayName: "", diagnostics: [warningDiagnostic("Slower", "")] };
        yield { displayName: "three", diagnostics: [] };
      },
    });
    await using client = await openProvider(provider, {
      onWarning: ({ summary }, subject) => void warnings.push(`${subject}: ${summary}`),
    });
    const names: string[] = [];
    const all = async (): Promise<void> => {
      for await (const { displayName } of client.list("safe", {})) names.push(displayName);
    };
    await expect(all()).rejects.toMatchObject({ code: "DIAGNOSTICS", message: "list of safe failed: Cannot read two" });
    expect(names).toEqual(["one", "three"]);
    expect(warnings).toEqual(["list of safe: Slow", "list of safe: Slower"]);
    expect(() => client.list("other", {})).toThrow(expect.objectContaining({ code: "NOT_OFFERED" }));
  });
});

test("a state hides its sensitive values when it is printed, at any depth", async ({ expect }) => {
  const provider = smallProvider({
    ...accepting,
    async *listResource({ config }) {
      yield { displayName: "one", resourceObject: config, diagnostics: [] };
    },
  });
  await using client = await openProvider(provider);
  const config = {
    name: "n",
    secret: "hunter1",
    codes: ["hunter2"],
    doors: [{ key: "a", secret: "hunter3" }],
    lock: [{ secret: "hunter4" }],
  };
  const [found] = await Array.fromAsync(client.list("safe", config, { includeState: true }));
  const state = found!.state as { readonly doors: readonly unknown[]; readonly lock: readonly unknown[]; readonly secret: string };
  expect(state.secret).toBe("hunter1");
  for (const printed of [inspect(state, { depth: 9 }), inspect(state.doors), inspect(state.lock[0]), inspect([{ found }], { depth: 9 })]) {
    expect(printed).not.toContain("hunter");
    expect(printed).toContain("(sensitive value)");
  }
  expect(inspect(state)).toContain("keys: null");
});
