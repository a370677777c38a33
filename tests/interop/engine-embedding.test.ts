// SPDX-License-Identifier: Apache-2.0
// The engine embedded in a process: concurrent runs, and providers whose configuration is not known to the plan.
import { openWorkspace, type Workspace } from "@tenon/engine";
import { objectFiles } from "@tenon/engine/configuration";
import { memoryState } from "@tenon/engine/state/stores";
import { of, string, toJs } from "@tenon/cty";
import { attr, createProvider, defineProvider, isUnknown } from "@tenon/provider-sdk";
import type { ProviderFactory } from "@tenon/schema";
import { describe, test } from "vitest";

/** A provider whose objects have the address that the provider is configured with. Counts its open instances. */
class Service {
  opened = 0;
  closed = 0;
  readonly configured: string[] = [];

  readonly open: ProviderFactory = async () => {
    const provider = createProvider(this.#definition());
    this.opened++;
    return { ...provider, close: async () => (this.closed++, provider.close()), [Symbol.asyncDispose]: () => provider.close() };
  };

  #definition(): Parameters<typeof createProvider>[0] {
    const service = defineProvider({
      name: "service",
      version: "1.0.0",
      schema: { address: attr.string({ required: true }) },
      unknownConfig: "pass",
      configure: ({ config }) => {
        const address = isUnknown(config.address) ? "unknown" : config.address;
        this.configured.push(address);
        return address;
      },
    });
    const item = service.resource("item", {
      schema: { name: attr.string({ required: true }), at: attr.string({ computed: true }) },
      create: ({ planned, client }) => ({ ...planned, at: client }),
      read: ({ state }) => state,
      update: ({ planned, client }) => ({ ...planned, at: client }),
      delete: () => undefined,
    });
    return service.with([item]);
  }
}

const main = `
terraform {
  required_providers {
    service = { source = "tenon/service" }
  }
}
variable "name" { type = string }
resource "terraform_data" "server" {
  input = "address-of-\${var.name}"
}
provider "service" {
  address = terraform_data.server.output
}
resource "service_item" "a" {
  name = var.name
}
output "at" { value = service_item.a.at }
output "time" { value = timestamp() }
output "cwd" { value = path.cwd }
output "workspace" { value = terraform.workspace }
`;

describe("a provider whose configuration the plan does not know", () => {
  test("is configured again for the apply", async ({ expect }) => {
    const service = new Service();
    const configuration = objectFiles({ "main.tf": main });
    await using plan = await openWorkspace({ configuration, providers: { "tenon/service": service.open } }).plan({
      variables: { name: of(string, "x") },
    });
    expect(plan.diagnostics).toEqual([]);
    const { outputs, diagnostics } = await plan.apply();
    expect(diagnostics).toEqual([]);
    expect(toJs(outputs.get("at")!.value)).toBe("address-of-x");
    expect(service.configured).toEqual(["unknown", "address-of-x"]);
    expect(service.closed).toBe(service.opened);
  });
});

describe("a destroy plan", () => {
  test("configures providers with the values of the state instead of planned values", async ({ expect }) => {
    const service = new Service();
    const state = memoryState();
    const open = (source: string): Workspace =>
      openWorkspace({ configuration: objectFiles({ "main.tf": source }), state, providers: { "tenon/service": service.open } });
    const variables = { name: of(string, "x") };
    await using created = await open(main).plan({ variables });
    expect((await created.apply()).diagnostics).toEqual([]);
    service.configured.length = 0;
    // A destroy plan begins with a normal plan, which plans another address here.
    await using destroyed = await open(main.replace("address-of", "new-of")).plan({ variables, mode: "destroy" });
    expect(destroyed.diagnostics).toEqual([]);
    expect(service.configured.at(-1)).toBe("address-of-x");
    const applied = await destroyed.apply();
    expect(applied.diagnostics).toEqual([]);
    expect(applied.state.resources.size).toBe(0);
    expect(service.closed).toBe(service.opened);
  });
});

describe("concurrent runs in a process", () => {
  test("have their own configuration, state, providers, environment and clock", async ({ expect }) => {
    const run = async (name: string): Promise<unknown> => {
      const service = new Service();
      const workspace = openWorkspace({
        configuration: objectFiles({ "main.tf": main.replace("address-of", `${name}-of`) }),
        providers: { "tenon/service": service.open },
        workspace: `ws-${name}`,
        workingFolder: `/folder/${name}`,
        environment: { now: () => new Date(Date.UTC(2026, 0, name.length)) },
      });
      await using plan = await workspace.plan({ variables: { name: of(string, name) } });
      const { outputs } = await plan.apply();
      expect(service.closed).toBe(service.opened);
      return Object.fromEntries([...outputs].map(([key, { value }]) => [key, toJs(value)]));
    };
    const names = ["a", "bb", "ccc", "dddd", "eeeee"];
    const results = await Promise.all(names.map(run));
    expect(results).toEqual(
      names.map((name) => ({
        at: `${name}-of-${name}`,
        time: `2026-01-0${name.length}T00:00:00Z`,
        cwd: `/folder/${name}`,
        workspace: `ws-${name}`,
      })),
    );
  });
});

describe("limits of provider calls", () => {
  /** A provider that counts how many of its creations are under way. */
  class Counter {
    highest = 0;
    #active = 0;

    readonly open: ProviderFactory = async () => {
      const provider = defineProvider({ name: "counter", version: "1.0.0" });
      const item = provider.resource("item", {
        schema: { name: attr.string({ required: true }) },
        create: async ({ planned }) => {
          this.highest = Math.max(this.highest, ++this.#active);
          // The others start in the meantime, if nothing stops them.
          for (let turn = 0; turn < 50; turn++) await new Promise((resolve) => void setImmediate(resolve));
          this.#active--;
          return planned;
        },
        read: ({ state }) => state,
        update: ({ planned }) => planned,
        delete: () => undefined,
      });
      return createProvider(provider.with([item]));
    };
  }

  const required = (name: string): string => `    ${name} = { source = "tenon/${name}" }\n`;
  const items = (name: string): string =>
    `resource "counter_item" "${name}" {\n  provider = ${name}\n  count    = 12\n  name     = count.index\n}\n`;
  const text = `terraform {\n  required_providers {\n${required("slow")}${required("fast")}  }\n}\n${items("slow")}${items("fast")}`;

  test("hold for all providers, and for single ones", async ({ expect }) => {
    const [slow, fast] = [new Counter(), new Counter()];
    const workspace = openWorkspace({
      configuration: objectFiles({ "main.tf": text }),
      providers: { "tenon/slow": slow.open, "tenon/fast": fast.open },
      parallelism: 8,
      providerParallelism: { "tenon/slow": 2 },
    });
    await using plan = await workspace.plan();
    expect((await plan.apply()).errored).toBe(false);
    expect(slow.highest).toBe(2);
    expect(fast.highest).toBeGreaterThan(2);
    expect(fast.highest).toBeLessThanOrEqual(8);
  });
});
