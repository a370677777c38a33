// SPDX-License-Identifier: Apache-2.0
// A provider and a store whose calls a test can make fail.
import { openWorkspace, type Workspace, type WorkspaceOptions } from "@tenon/engine";
import { objectFiles } from "@tenon/engine/configuration";
import type { State } from "@tenon/engine/state";
import { memoryState, type StateStore, type WorkspaceStore } from "@tenon/engine/state/stores";
import { attr, createProvider, defineProvider } from "@tenon/provider-sdk";
import { requiresReplace, useStateForUnknown } from "@tenon/provider-sdk/plan-modifiers";
import { ProviderError, type ProviderFactory } from "@tenon/schema";

/** A service with objects, and its provider. A test chooses the calls that fail. */
export class Service {
  readonly objects: Map<string, string> = new Map();
  /** Called before each change of an object. If it throws, the change fails. */
  before: (step: "create" | "update" | "delete", name: string) => void | Promise<void> = () => undefined;
  /** The name of the object whose change is made but gets no response, as if the provider's process had ended. */
  crashesAfter: string | undefined;

  readonly open: ProviderFactory = async () => {
    const provider = createProvider(this.#definition());
    return {
      ...provider,
      applyResourceChange: async (request, options) => {
        const response = await provider.applyResourceChange(request, options);
        if (this.#last === this.crashesAfter) throw new ProviderError("UNAVAILABLE", "the provider process ended");
        return response;
      },
      close: () => provider.close(),
      [Symbol.asyncDispose]: () => provider.close(),
    };
  };
  #last = "";

  #definition(): Parameters<typeof createProvider>[0] {
    const mem = defineProvider({ name: "mem", version: "1.0.0", schema: {}, configure: () => undefined });
    const { objects } = this;
    const node = mem.resource("node", {
      schema: {
        id: attr.string({ computed: true, planModifiers: [useStateForUnknown()] }),
        name: attr.string({ required: true, planModifiers: [requiresReplace()] }),
        value: attr.string({ optional: true }),
        secret: attr.string({ optional: true, sensitive: true }),
      },
      create: async ({ planned }) => {
        await this.before("create", planned.name);
        this.#last = planned.name;
        objects.set(planned.name, planned.value ?? "");
        return { ...planned, id: planned.name };
      },
      read: ({ state }) => (objects.has(state.id) ? { ...state, value: objects.get(state.id)! || null } : undefined),
      update: async ({ state, planned }) => {
        await this.before("update", planned.name);
        this.#last = planned.name;
        objects.set(planned.name, planned.value ?? "");
        return { ...planned, id: state.id };
      },
      delete: async ({ state }) => {
        await this.before("delete", state.name);
        this.#last = state.name;
        objects.delete(state.name);
      },
    });
    return mem.with([node]);
  }
}

/** The block at the start of every configuration. */
export const head = 'terraform {\n  required_providers {\n    mem = { source = "tenon/mem" }\n  }\n}\n';

/** Resources that each depend on the one before. */
export function chain(...names: readonly string[]): string {
  return names
    .map((name, index) => {
      const value = index === 0 ? '"first"' : `mem_node.${names[index - 1]}.id`;
      return `resource "mem_node" "${name}" {\n  name  = "${name}"\n  value = ${value}\n}\n`;
    })
    .join("");
}

/** Resources that do not depend on each other: n0, n1, … */
export function many(count: number): string {
  return `resource "mem_node" "all" {\n  count = ${count}\n  name  = "n\${count.index}"\n}\n`;
}

/** Opens a workspace with the resources of a text. */
export function open(service: Service, text: string, state: StateStore, options: Partial<WorkspaceOptions> = {}): Workspace {
  return openWorkspace({
    configuration: objectFiles({ "main.tf": head + text }),
    state,
    providers: { "tenon/mem": service.open },
    ...options,
  });
}

/** The names of the objects that a state has. */
export function namesIn(state: State): readonly string[] {
  const names = [...state.resources.values()].flatMap(({ address, instances }) =>
    [...instances.values()].flatMap(({ key, current }) =>
      current === undefined ? [] : [typeof key === "number" ? `n${key}` : address.resource.name],
    ),
  );
  return names.sort();
}

/** A store in memory. A write fails with the error that the function returns, unless that is undefined. */
export function failingStore(fail: () => unknown): StateStore {
  const memory = memoryState();
  return {
    layout: memory.layout,
    workspaces: () => memory.workspaces(),
    deleteWorkspace: (name) => memory.deleteWorkspace(name),
    workspace: (name): WorkspaceStore => {
      const inner = memory.workspace(name);
      return {
        read: () => inner.read(),
        lock: (info) => inner.lock(info),
        forceUnlock: (id) => inner.forceUnlock(id),
        write: async (content, options) => {
          const error = fail();
          if (error !== undefined) throw error;
          return inner.write(content, options);
        },
      };
    },
  };
}

/** Requires that after the next apply exactly these objects exist, and that the plan after it has no changes. */
export async function expectContinues(service: Service, workspace: Workspace, names: readonly string[]): Promise<void> {
  service.before = () => undefined;
  service.crashesAfter = undefined;
  const plan = await workspace.plan();
  const applied = await plan.apply();
  if (applied.errored) throw new Error(applied.diagnostics.map(({ summary, detail }) => `${summary}: ${detail}`).join("\n"));
  const [stored, existing] = [namesIn(await workspace.state()), [...service.objects.keys()].sort()];
  if (String(stored) !== String(existing) || String(existing) !== String([...names].sort())) {
    throw new Error(`the state has ${stored.join()}, the service ${existing.join()}`);
  }
  await using again = await workspace.plan();
  if (again.hasChanges) throw new Error("the second plan has changes");
}
