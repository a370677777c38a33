// SPDX-License-Identifier: Apache-2.0
import { inspect } from "node:util";
import { errorDiagnostic, warningDiagnostic, type Provider } from "@tenon/schema";
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
    for (const address of ["time", "hashicorp/time", "registry.example.com/hashicorp/time"]) {
      await expect(openProvider(address), address).rejects.toMatchObject({
        code: "INVALID_OPTIONS",
        message: expect.stringContaining('such as "./time"'),
      });
    }
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
