// SPDX-License-Identifier: Apache-2.0
// One resource type of a provider, called directly: tests see the requests of a core and the provider's responses unchanged.
import { nullOf, type Value } from "@tenon/cty";
import {
  impliedType,
  type ApplyResourceChangeResponse,
  type Block,
  type ClientCapabilities,
  type ImportResourceStateResponse,
  type PlanResourceChangeResponse,
  type Provider,
  type ReadResourceResponse,
} from "@tenon/schema";
import { proposedNew } from "@tenon/schema/change";
import { createProvider, defineProvider, type Schema } from "../../src/index.ts";
import type { IdentityTypes, ResourceDefinition } from "../../src/definition/index.ts";
import { configOf, toPlain, type Data } from "../resource-life.ts";

/** Capabilities of a core that supports everything. */
export const core: ClientCapabilities = { deferralAllowed: true, writeOnlyAttributesAllowed: true };
/** Empty private data. */
export const noBytes: Uint8Array = new Uint8Array(0);

/** A resource definition with only the members that a test needs. */
export type Definition<S extends Schema, I extends IdentityTypes = {}> = Partial<ResourceDefinition<undefined, S, string, I>> & {
  readonly schema: S;
};

/** Values of a plan or apply request; omitted ones are null, or empty. */
export interface ChangeRequest {
  readonly prior?: Data | null;
  readonly config?: Data | null;
  readonly planned?: Value;
  readonly private?: Uint8Array;
  readonly identity?: Value;
  readonly capabilities?: ClientCapabilities;
}

/** The resource type `farm_field` of a provider, with functions that send one request each. */
export interface RawResource {
  readonly provider: Provider;
  readonly block: Block;
  /** Builds a value of the resource's type. */
  readonly value: (data: Data | null) => Value;
  readonly plan: (request: ChangeRequest) => Promise<PlanResourceChangeResponse>;
  readonly apply: (request: ChangeRequest & { readonly planned: Value }) => Promise<ApplyResourceChangeResponse>;
  readonly read: (state: Data, more?: Pick<ChangeRequest, "private" | "identity" | "capabilities">) => Promise<ReadResourceResponse>;
  readonly import: (id: string, more?: Pick<ChangeRequest, "identity" | "capabilities">) => Promise<ImportResourceStateResponse>;
}

export const farm: ReturnType<typeof defineProvider<{}, undefined>> = defineProvider({ name: "farm", version: "1.0.0" });

/** Creates `farm_field`. Handlers that the definition omits return the planned or recorded state unchanged. */
export async function rawResource<const S extends Schema, I extends IdentityTypes = {}>(
  definition: Definition<S, I>,
): Promise<RawResource> {
  const handlers = {
    create: ({ planned }: { readonly planned: unknown }) => planned,
    read: ({ state }: { readonly state: unknown }) => state,
    update: ({ planned }: { readonly planned: unknown }) => planned,
    delete: () => {},
  };
  const field = farm.resource("field", { ...handlers, ...definition } as never);
  const provider = createProvider(farm.with([field]));
  const { resources } = await provider.getProviderSchema({});
  const { block } = resources.get("farm_field")!;
  const typeName = "farm_field";
  const value = (data: Data | null): Value => (data === null ? nullOf(impliedType(block)) : configOf(block, data));
  const withIdentity = <N extends string>(name: N, identity: Value | undefined): { readonly [Name in N]?: Value } =>
    (identity === undefined ? {} : { [name]: identity }) as { readonly [Name in N]?: Value };
  return {
    provider,
    block,
    value,
    plan: ({ prior = null, config = null, private: priorPrivate = noBytes, identity, planned, capabilities = core }) => {
      const [priorState, configuration] = [value(prior), value(config)];
      const proposedNewState = planned ?? (config === null ? configuration : proposedNew(block, priorState, configuration));
      return provider.planResourceChange({
        typeName,
        priorState,
        config: configuration,
        proposedNewState,
        priorPrivate,
        clientCapabilities: capabilities,
        ...withIdentity("priorIdentity", identity),
      });
    },
    apply: ({ prior = null, config = null, planned, private: plannedPrivate = noBytes, identity }) =>
      provider.applyResourceChange({
        typeName,
        priorState: value(prior),
        config: value(config),
        plannedState: planned,
        plannedPrivate,
        ...withIdentity("plannedIdentity", identity),
      }),
    read: (state, { private: stored = noBytes, identity, capabilities = core } = {}) =>
      provider.readResource({
        typeName,
        currentState: value(state),
        private: stored,
        clientCapabilities: capabilities,
        ...withIdentity("currentIdentity", identity),
      }),
    import: (id, { identity, capabilities = core } = {}) =>
      provider.importResourceState({ typeName, id, clientCapabilities: capabilities, ...withIdentity("identity", identity) }),
  };
}

/** Returns the planned state as JavaScript. Throws if the plan has errors. */
export async function planOf(resource: RawResource, request: ChangeRequest): Promise<unknown> {
  const { plannedState, diagnostics } = await resource.plan(request);
  if (diagnostics.some(({ severity }) => severity === "error")) throw new Error(JSON.stringify(diagnostics));
  return toPlain(plannedState);
}

/** Formats paths as `a.b`. */
export function names(paths: readonly (readonly { readonly kind: string }[])[]): readonly string[] {
  return paths.map((path) => path.map((step) => ("name" in step ? String(step.name) : "[]")).join("."));
}
