// SPDX-License-Identifier: Apache-2.0
// Providers can defer changes if the caller allows it. A deferred change, and each change that depends on it, is left to the next plan.
import { openWorkspace, type EngineEvent, type Plan } from "@tenon/engine";
import { formatResourceInstanceObject } from "@tenon/engine/address";
import { objectFiles } from "@tenon/engine/configuration";
import { renderPlan } from "@tenon/engine/documents";
import { memoryState, type StateStore } from "@tenon/engine/state/stores";
import { toJs } from "@tenon/cty";
import { attr, createProvider, defineProvider, importById } from "@tenon/provider-sdk";
import type { ProviderFactory } from "@tenon/schema";
import { describe, test } from "vitest";

/** A cluster with objects. The first apply creates the cluster, and its objects can be planned only after that. */
class Cluster {
  isRunning = false;
  readonly objects = new Map<string, string>();
  readonly calls: string[] = [];

  readonly open: ProviderFactory = async () => createProvider(this.#definition());

  #definition(): Parameters<typeof createProvider>[0] {
    const provider = defineProvider({ name: "k", version: "1.0.0", configure: () => undefined });
    const cluster = provider.resource("cluster", {
      schema: { id: attr.string({ computed: true }) },
      create: () => {
        this.isRunning = true;
        return { id: "c" };
      },
      read: ({ state }) => (this.isRunning ? state : undefined),
      update: ({ planned, state }) => ({ ...planned, id: state.id ?? "" }),
      delete: () => void (this.isRunning = false),
    });
    const object = provider.resource("object", {
      schema: { id: attr.string({ computed: true }), name: attr.string({ required: true }), value: attr.string({ optional: true }) },
      plan: ({ defer }) => (this.isRunning ? undefined : defer("absentPrerequisite")),
      planDestroy: ({ defer }) => (this.isRunning ? undefined : defer("absentPrerequisite")),
      create: ({ planned }) => {
        this.calls.push(`create ${planned.name}`);
        this.objects.set(planned.name, planned.value ?? "");
        return { ...planned, id: planned.name };
      },
      read: ({ state, defer }) => {
        if (!this.isRunning) return defer("absentPrerequisite");
        const value = this.objects.get(state.id ?? "");
        return value === undefined ? undefined : { ...state, name: state.id ?? "", value: value === "" ? null : value };
      },
      update: ({ planned, state }) => {
        this.calls.push(`update ${planned.name}`);
        this.objects.set(planned.name, planned.value ?? "");
        return { ...planned, id: state.id ?? "" };
      },
      delete: ({ state }) => {
        this.calls.push(`delete ${state.name}`);
        this.objects.delete(state.name ?? "");
      },
      importState: importById("id"),
    });
    const lookup = provider.dataSource("lookup", {
      schema: { name: attr.string({ required: true }), value: attr.string({ computed: true }) },
      read: ({ config, defer }) => (this.isRunning ? { ...config, value: `value of ${config.name}` } : defer("absentPrerequisite")),
    });
    const token = provider.ephemeralResource("token", {
      schema: { name: attr.string({ required: true }), value: attr.string({ computed: true }) },
      open: ({ config, defer }) => (this.isRunning ? { ...config, value: "secret" } : defer("absentPrerequisite")),
    });
    const vault = provider.resource("vault", {
      schema: { name: attr.string({ required: true }), password: attr.string({ required: true, writeOnly: true }) },
      create: ({ planned, config }) => {
        this.calls.push(`create ${planned.name} with ${config.password}`);
        return planned;
      },
      read: ({ state }) => state,
      update: ({ planned }) => planned,
      delete: () => {},
    });
    return provider.with([cluster, object, lookup, token, vault]);
  }
}

const head = 'terraform {\n  required_providers {\n    k = { source = "tenon/k" }\n  }\n}\n';
const withCluster = `${head}resource "k_cluster" "c" {}\n`;
const objects = `
resource "k_object" "a" {
  name = "a"
}
resource "terraform_data" "after" {
  input = k_object.a.id
}
resource "terraform_data" "later" {
  depends_on = [terraform_data.after]
}
resource "terraform_data" "free" {}
data "k_lookup" "l" {
  name = "l"
}
output "value" {
  value = data.k_lookup.l.value
}
output "free" {
  value = terraform_data.free.id != ""
}
`;

function planned(
  cluster: Cluster,
  main: string,
  state: StateStore,
  allowDeferral = true,
  onEvent?: (event: EngineEvent) => void,
): Promise<Plan> {
  const workspace = openWorkspace({ configuration: objectFiles({ "main.tf": main }), state, providers: { "tenon/k": cluster.open } });
  return workspace.plan({ allowDeferral, ...(onEvent && { onEvent }) });
}

const deferredOf = ({ changes }: Plan): readonly string[] =>
  (changes.deferred ?? []).map(({ reason, change }) => `${change.action} ${formatResourceInstanceObject(change.address)}: ${reason}`);
const changesOf = ({ changes }: Plan): readonly string[] =>
  changes.resources.map(({ action, address }) => `${action} ${formatResourceInstanceObject(address)}`);

describe("deferral", () => {
  test("leaves deferred changes, and the changes that depend on them, to the next plan", async ({ expect }) => {
    const cluster = new Cluster();
    const state = memoryState();
    const events: string[] = [];
    await using first = await planned(cluster, withCluster + objects, state, true, (event) => void events.push(event.type));
    expect(first.diagnostics).toEqual([]);
    expect(deferredOf(first)).toEqual([
      "read data.k_lookup.l: absentPrerequisite",
      "create k_object.a: absentPrerequisite",
      "create terraform_data.after: deferredPrerequisite",
      "create terraform_data.later: deferredPrerequisite",
    ]);
    expect(changesOf(first)).toEqual(["create k_cluster.c", "create terraform_data.free"]);
    expect(first.isComplete).toBe(false);
    expect(events.filter((type) => type === "deferred")).toHaveLength(4);
    const document = (await first.toJson()) as {
      readonly deferred_changes: readonly { readonly reason: string; readonly resource_change: { readonly address: string } }[];
    };
    expect(document.deferred_changes.map(({ reason, resource_change: change }) => `${change.address} ${reason}`)).toEqual([
      "data.k_lookup.l absent_prereq",
      "k_object.a absent_prereq",
      "terraform_data.after deferred_prereq",
      "terraform_data.later deferred_prereq",
    ]);
    const text = renderPlan(first);
    expect(text).toContain("Plan: 2 to add, 0 to change, 0 to destroy.\n\nNote: This plan is not complete\n");
    expect(text).toContain(`
  # k_object.a will be created
  # (deferred, because something that it needs does not exist yet)
  + resource "k_object" "a" {
      + id   = (known after apply)
      + name = "a"
    }

  # terraform_data.after will be created
  # (deferred, because it depends on a change that is deferred)
`);
    expect(text.indexOf("Changes to Outputs:")).toBeGreaterThan(text.indexOf("terraform_data.later"));
    const applied = await first.apply();
    expect(applied.diagnostics).toEqual([]);
    expect([...applied.state.resources.keys()].sort()).toEqual(["k_cluster.c", "terraform_data.free"]);
    expect([...applied.outputs.keys()]).toEqual(["free"]);
    expect(cluster.calls).toEqual([]);

    await using second = await planned(cluster, withCluster + objects, state);
    expect(deferredOf(second)).toEqual([]);
    expect(second.isComplete).toBe(true);
    expect(changesOf(second)).toEqual([
      "noOp k_cluster.c",
      "create k_object.a",
      "create terraform_data.after",
      "noOp terraform_data.free",
      "create terraform_data.later",
    ]);
    const outputs = (await second.apply()).outputs;
    expect(toJs(outputs.get("value")!.value)).toBe("value of l");
    await using third = await planned(cluster, withCluster + objects, state);
    expect(third.hasChanges).toBe(false);
  });

  test("is kept in a saved plan", async ({ expect }) => {
    const cluster = new Cluster();
    const state = memoryState();
    const plan = await planned(cluster, withCluster + objects, state);
    const document = await plan.toJson();
    const saved = await plan.save();
    await plan.close();
    const workspace = openWorkspace({ configuration: objectFiles({}), state, providers: { "tenon/k": cluster.open } });
    await using opened = await workspace.openPlan(saved);
    expect(opened.isComplete).toBe(false);
    expect(deferredOf(opened)).toEqual(deferredOf(plan));
    expect(JSON.stringify(await opened.toJson())).toBe(JSON.stringify(document));
    const applied = await opened.apply();
    expect([...applied.state.resources.keys()].sort()).toEqual(["k_cluster.c", "terraform_data.free"]);
  });

  test("is an error if the caller does not allow it", async ({ expect }) => {
    await using plan = await planned(new Cluster(), withCluster + objects, memoryState(), false);
    expect(plan.errored).toBe(true);
    expect(plan.diagnostics.map(({ detail }) => detail).join("\n")).toContain("this run cannot defer it");
    expect(plan.changes.deferred ?? []).toEqual([]);
  });

  test("keeps an object that cannot be read, and the objects that it depends on", async ({ expect }) => {
    const cluster = new Cluster();
    cluster.isRunning = true;
    const state = memoryState();
    const main = `${head}resource "terraform_data" "base" {}\nresource "k_object" "a" {\n  name  = "a"\n  value = terraform_data.base.id\n}\n`;
    await using created = await planned(cluster, main, state);
    await created.apply();
    cluster.isRunning = false;

    await using update = await planned(cluster, main.replace("terraform_data.base.id", '"new"'), state);
    expect(update.diagnostics).toEqual([]);
    expect(deferredOf(update)).toEqual(["update k_object.a: absentPrerequisite"]);
    expect(changesOf(update)).toEqual(["noOp terraform_data.base"]);
    await update.close();

    await using removed = await planned(cluster, head, state);
    expect(removed.diagnostics).toEqual([]);
    expect(deferredOf(removed)).toEqual(["delete k_object.a: absentPrerequisite", "delete terraform_data.base: deferredPrerequisite"]);
    expect(changesOf(removed)).toEqual([]);
    const kept = await removed.apply();
    expect([...kept.state.resources.keys()].sort()).toEqual(["k_object.a", "terraform_data.base"]);

    cluster.isRunning = true;
    await using again = await planned(cluster, head, state);
    expect(changesOf(again)).toEqual(["delete k_object.a", "delete terraform_data.base"]);
    expect((await again.apply()).state.resources.size).toBe(0);
    expect(cluster.calls).toEqual(["create a", "delete a"]);
  });

  test("leaves imports to the next plan", async ({ expect }) => {
    const cluster = new Cluster();
    cluster.objects.set("a", "");
    const state = memoryState();
    const main = `${withCluster}import {\n  to = k_object.a\n  id = "a"\n}\nresource "k_object" "a" {\n  name = "a"\n}\nresource "terraform_data" "after" {\n  input = k_object.a.id\n}\n`;
    await using first = await planned(cluster, main, state);
    expect(first.diagnostics).toEqual([]);
    expect(deferredOf(first)).toEqual(["noOp k_object.a: absentPrerequisite", "create terraform_data.after: deferredPrerequisite"]);
    expect((await first.apply()).diagnostics).toEqual([]);
    await using second = await planned(cluster, main, state);
    expect(deferredOf(second)).toEqual([]);
    expect(second.changes.resources.find(({ importing }) => importing !== undefined)?.action).toBe("noOp");
    const applied = await second.apply();
    expect([...applied.state.resources.keys()].sort()).toEqual(["k_cluster.c", "k_object.a", "terraform_data.after"]);
  });

  test("of an ephemeral resource leaves the changes that depend on it to the next plan", async ({ expect }) => {
    const cluster = new Cluster();
    const state = memoryState();
    const vaults = `
ephemeral "k_token" "t" {
  name = "t"
}
resource "k_vault" "v" {
  name     = "v"
  password = ephemeral.k_token.t.value
}
resource "terraform_data" "after" {
  depends_on = [k_vault.v]
}
`;
    await using first = await planned(cluster, withCluster + vaults, state);
    expect(first.diagnostics).toEqual([]);
    expect(changesOf(first)).toEqual(["create k_cluster.c"]);
    expect(deferredOf(first)).toEqual(["create k_vault.v: deferredPrerequisite", "create terraform_data.after: deferredPrerequisite"]);
    expect(first.isComplete).toBe(false);
    expect((await first.apply()).errored).toBe(false);
    await using second = await planned(cluster, withCluster + vaults, state);
    expect(deferredOf(second)).toEqual([]);
    expect((await second.apply()).errored).toBe(false);
    expect(cluster.calls).toEqual(["create v with secret"]);

    await using refused = await planned(new Cluster(), withCluster + vaults, memoryState(), false);
    expect(refused.diagnostics.map(({ detail }) => detail).join()).toContain("this run cannot defer it");
  });

  describe("of unknown repetition", () => {
    const counted = `${withCluster}
resource "terraform_data" "many" {
  count = length(k_cluster.c.id)
  input = "many-\${count.index}"
}
resource "terraform_data" "after" {
  input = terraform_data.many[*].output
}
module "m" {
  source   = "./m"
  for_each = toset([k_cluster.c.id])
  name     = each.key
}
data "k_lookup" "l" {
  for_each = module.m
  name     = each.key
}
ephemeral "k_token" "t" {
  count = length(k_cluster.c.id)
  name  = "t"
}
resource "k_vault" "v" {
  name     = "v"
  password = ephemeral.k_token.t[0].value
}
output "names" {
  value = [for one in module.m : one.name]
}
`;
    const child =
      'variable "name" {\n  validation {\n    condition     = var.name != ""\n    error_message = "empty"\n  }\n}\n' +
      'resource "terraform_data" "x" {\n  count = 2\n  input = var.name\n}\noutput "name" {\n  value = terraform_data.x[1].output\n}\n';
    const open = (cluster: Cluster, files: Readonly<Record<string, string>>, state: StateStore) =>
      openWorkspace({ configuration: objectFiles(files), state, providers: { "tenon/k": cluster.open } });

    test("defers the resources and modules, and what depends on them", async ({ expect }) => {
      const cluster = new Cluster();
      const state = memoryState();
      const workspace = open(cluster, { "main.tf": counted, "m/main.tf": child }, state);
      await using first = await workspace.plan({ allowDeferral: true });
      expect(first.diagnostics).toEqual([]);
      expect(changesOf(first)).toEqual(["create k_cluster.c"]);
      expect(deferredOf(first)).toEqual([
        "read data.k_lookup.l[*]: instanceCountUnknown",
        "create k_vault.v: deferredPrerequisite",
        "create terraform_data.after: deferredPrerequisite",
        "create terraform_data.many[*]: instanceCountUnknown",
        "create module.m[*].terraform_data.x[0]: instanceCountUnknown",
        "create module.m[*].terraform_data.x[1]: instanceCountUnknown",
      ]);
      const document = (await first.toJson()) as { readonly deferred_changes: readonly { readonly reason: string }[] };
      expect(new Set(document.deferred_changes.map(({ reason }) => reason))).toEqual(
        new Set(["instance_count_unknown", "deferred_prereq"]),
      );
      expect(renderPlan(first)).toContain(`
  # terraform_data.many[*] will be created
  # (deferred, because the number of its instances is not known yet)
`);
      const applied = await first.apply();
      expect(applied.diagnostics).toEqual([]);
      expect([...applied.state.resources.keys()]).toEqual(["k_cluster.c"]);

      await using second = await workspace.plan({ allowDeferral: true });
      expect(deferredOf(second)).toEqual([]);
      expect(changesOf(second).filter((change) => change.startsWith("create"))).toEqual([
        "create k_vault.v",
        "create terraform_data.after",
        "create terraform_data.many[0]",
        'create module.m["c"].terraform_data.x[0]',
        'create module.m["c"].terraform_data.x[1]',
      ]);
      const { outputs, diagnostics } = await second.apply();
      expect(diagnostics).toEqual([]);
      expect(toJs(outputs.get("names")!.value)).toEqual(["c"]);
      await using third = await workspace.plan({ allowDeferral: true });
      expect(third.hasChanges).toBe(false);
    });

    test("is kept in a saved plan", async ({ expect }) => {
      const cluster = new Cluster();
      const state = memoryState();
      const plan = await open(cluster, { "main.tf": counted, "m/main.tf": child }, state).plan({ allowDeferral: true });
      const saved = await plan.save();
      await plan.close();
      await using opened = await open(cluster, {}, state).openPlan(saved);
      expect(deferredOf(opened)).toEqual(deferredOf(plan));
      expect((await opened.apply()).diagnostics).toEqual([]);
    });

    test("leaves existing objects, and what they depend on, as they are", async ({ expect }) => {
      const state = memoryState();
      const base = 'resource "terraform_data" "base" {}\n';
      const main = (n: number, rest: string, dependsOn: string): string => `
resource "terraform_data" "n" {
  input = ${n}
}
resource "terraform_data" "many" {
  count = terraform_data.n.output
  ${dependsOn}
}
module "m" {
  source = "./m"
  count  = terraform_data.n.output
}
${rest}`;
      const files = (text: string) => ({ "main.tf": text, "m/main.tf": 'resource "terraform_data" "x" {}\n' });
      const plan = async (text: string): Promise<Plan> => open(new Cluster(), files(text), state).plan({ allowDeferral: true });
      const withBase = main(1, base, "depends_on = [terraform_data.base]");
      for (let round = 0; round < 2; round++) await (await plan(withBase)).apply();

      await using changed = await plan(main(2, "", ""));
      expect(changed.diagnostics).toEqual([]);
      expect(deferredOf(changed)).toEqual([
        "delete terraform_data.base: deferredPrerequisite",
        "create terraform_data.many[*]: instanceCountUnknown",
        "create module.m[*].terraform_data.x: instanceCountUnknown",
      ]);
      expect(changesOf(changed)).toEqual(["update terraform_data.n"]);
      const { state: kept, diagnostics } = await changed.apply();
      expect(diagnostics).toEqual([]);
      expect([...kept.resources.keys()].sort()).toEqual([
        "module.m[0].terraform_data.x",
        "terraform_data.base",
        "terraform_data.many",
        "terraform_data.n",
      ]);

      await using next = await plan(main(2, "", ""));
      expect(deferredOf(next)).toEqual([]);
      expect(changesOf(next).filter((change) => !change.startsWith("noOp"))).toEqual([
        "delete terraform_data.base",
        "create terraform_data.many[1]",
        "create module.m[1].terraform_data.x",
      ]);
      expect((await next.apply()).errored).toBe(false);
    });

    test("is an error if the caller does not allow it", async ({ expect }) => {
      await using plan = await open(new Cluster(), { "main.tf": counted, "m/main.tf": child }, memoryState()).plan();
      expect(plan.diagnostics.map(({ summary }) => summary)).toContain("Invalid count argument");
    });
  });
});
