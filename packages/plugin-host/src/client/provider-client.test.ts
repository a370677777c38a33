// SPDX-License-Identifier: Apache-2.0
import { inspect } from "node:util";
import { string } from "@tenon/cty";
import { errorDiagnostic, type FunctionSignature, type Provider, ProviderError, warningDiagnostic } from "@tenon/schema";
import { describe, test } from "vitest";
import { smallProvider } from "../../test/fixtures/small-provider.ts";
import { openProvider } from "./open-provider.ts";

const agreeable: Partial<Provider> = {
  validateProviderConfig: async () => ({ diagnostics: [] }),
  configureProvider: async () => ({ diagnostics: [] }),
  validateListResourceConfig: async () => ({ diagnostics: [] }),
};

describe("openProvider", () => {
  test("ends the provider where it refuses its configuration, and says everything it said", async ({ expect }) => {
    let closed = 0;
    const close = async (): Promise<void> => {
      closed++;
    };
    const diagnostics = [warningDiagnostic("Old", ""), errorDiagnostic("No", "Not today."), errorDiagnostic("Never", "")];
    const opening = openProvider(smallProvider({ ...agreeable, close, configureProvider: async () => ({ diagnostics }) }));
    await expect(opening).rejects.toMatchObject({
      code: "DIAGNOSTICS",
      message: "configuration of the provider failed: No: Not today.\n\nNever",
      diagnostics,
    });
    expect(closed).toBe(1);
    await expect(openProvider(smallProvider({ ...agreeable, close }), { config: { nmae: "x" } })).rejects.toMatchObject({
      code: "INVALID_CONFIG",
    });
    expect(closed).toBe(2);
  });

  test("has the functions that are there once it is configured, and says why it cannot have them", async ({ expect }) => {
    const signature = { parameters: [], returnType: string } as unknown as FunctionSignature;
    let configured = false;
    const calls: Partial<Provider> = {
      ...agreeable,
      configureProvider: async () => {
        configured = true;
        return { diagnostics: [] };
      },
      getFunctions: async () => ({ functions: new Map(configured ? [["late", signature]] : []), diagnostics: [] }),
    };
    await using client = await openProvider(smallProvider(calls));
    expect([...client.schema.functions.keys()]).toEqual(["late"]);
    // A provider that has no such call has no such functions.
    await using older = await openProvider(smallProvider(agreeable));
    expect([...older.schema.functions.keys()]).toEqual([]);
    const refusing = smallProvider({
      ...calls,
      getFunctions: async () => ({ functions: new Map(), diagnostics: [errorDiagnostic("No list", "")] }),
    });
    await expect(openProvider(refusing)).rejects.toMatchObject({
      code: "DIAGNOSTICS",
      message: "functions of the provider failed: No list",
    });
    const lost = new ProviderError("UNAVAILABLE", "gone");
    await expect(openProvider(smallProvider({ ...calls, getFunctions: () => Promise.reject(lost) }))).rejects.toBe(lost);
  });

  test("asks a factory for an instance, and ends it with the client", async ({ expect }) => {
    const signals: unknown[] = [];
    const { signal } = new AbortController();
    let closed = 0;
    const factory = async (options?: { readonly signal?: AbortSignal }): Promise<Provider> => {
      signals.push(options?.signal);
      return smallProvider({
        ...agreeable,
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

  test("takes for a source address what is neither a path nor named as a provider's file is", async ({ expect }) => {
    const nowhere = {
      hosts: new Map(),
      credentials: new Map(),
      ociCredentials: [],
      providerInstallation: { devOverrides: new Map(), methods: [] },
    };
    for (const address of ["hashicorp/time", "registry.example.com/hashicorp/time"]) {
      await expect(openProvider(address, { install: { cliConfig: nowhere } }), address).rejects.toMatchObject({
        code: "PROVIDER_NOT_FOUND",
        message: expect.stringContaining("the CLI configuration allows no place"),
      });
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

describe("a list", () => {
  test("gives everything that was found before it says what went wrong", async ({ expect }) => {
    const warnings: string[] = [];
    const provider = smallProvider({
      ...agreeable,
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

test("a record in a state hides what is sensitive in it, wherever it is printed from", async ({ expect }) => {
  const provider = smallProvider({
    ...agreeable,
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
