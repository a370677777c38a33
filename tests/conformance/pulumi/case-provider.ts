// SPDX-License-Identifier: Apache-2.0
import { attributeStep, indexStep, nullOf, type Path, type Type, type Value } from "@tenon/cty";
import { decode } from "@tenon/cty/json";
import { createSchema, impliedType, ProviderError, type Provider, type Schema } from "@tenon/schema";
import { completed, planCase, type TreePath } from "./case-plan.ts";
import { caseSchema, withId } from "./case-schema.ts";
import { schemaOf, typeNameOf, type CaseBlock, type CaseObject, type DiffCase, type DiffCaseFile } from "./diff-case.ts";
import { treeOf, Unknown, valueOfTree } from "./value-tree.ts";

interface CaseType {
  readonly given: DiffCase;
  readonly block: CaseBlock;
  readonly schema: Schema;
}

/** Creates a provider with a resource type for each case, which plans as the case says. */
export function caseProvider(file: DiffCaseFile): Provider {
  const types = new Map(
    file.cases.map((given, index): [string, CaseType] => {
      const block = schemaOf(file, given);
      return [typeNameOf(index), { given, block: withId(block), schema: caseSchema(block) }];
    }),
  );
  const calls: Partial<Provider> = {
    getProviderSchema: async () => ({
      provider: createSchema({}),
      resources: new Map([...types].map(([name, { schema }]) => [name, schema])),
      dataSources: new Map(),
      functions: new Map(),
      ephemeralResources: new Map(),
      listResources: new Map(),
      stateStores: new Map(),
      actions: new Map(),
      serverCapabilities: { planDestroy: true, getProviderSchemaOptional: true, moveResourceState: false, generateResourceConfig: false },
      diagnostics: [],
    }),
    validateProviderConfig: async () => ({ diagnostics: [] }),
    configureProvider: async () => ({ diagnostics: [] }),
    validateResourceConfig: async () => ({ diagnostics: [] }),
    upgradeResourceState: async ({ typeName, rawState }) => ({
      upgradedState: decode(new TextDecoder().decode(rawState.json), typeOf(types.get(typeName)!)),
      diagnostics: [],
    }),
    planResourceChange: async ({ typeName, priorState, config, proposedNewState, priorPrivate }) => {
      const type = types.get(typeName)!;
      if (proposedNewState.payload === null) {
        return { plannedState: proposedNewState, requiresReplace: [], plannedPrivate: priorPrivate, diagnostics: [] };
      }
      const { planned, requiresReplace } = planOf(type, treeOf(priorState), treeOf(config), treeOf(proposedNewState));
      return {
        plannedState: valueOfTree(planned, typeOf(type)),
        requiresReplace: requiresReplace.map(pathOf),
        plannedPrivate: priorPrivate,
        diagnostics: [],
        legacyTypeSystem: type.block.legacy === true,
      };
    },
    applyResourceChange: async ({ typeName, priorState, plannedState, plannedPrivate }) => {
      const type = types.get(typeName)!;
      const { given, block, schema } = type;
      const newState = ((): Value => {
        if (plannedState.payload === null) return nullOf(typeOf(type));
        const made = completed(block, schema.block, treeOf(plannedState));
        const isCreate = priorState.payload === null;
        const state = isCreate && given.state ? { ...(made as CaseObject), ...readTree(given.state) } : made;
        return valueOfTree(state, typeOf(type));
      })();
      return { newState, private: plannedPrivate, diagnostics: [], legacyTypeSystem: block.legacy === true };
    },
    readResource: async ({ currentState, private: data }) => ({ newState: currentState, private: data, diagnostics: [] }),
    stop: async () => ({ error: "" }),
  };
  return new Proxy(calls as Provider, {
    get(target, name) {
      if (name === "close" || name === Symbol.asyncDispose) return () => Promise.resolve();
      // A promise resolves to the provider, which is no promise itself.
      if (typeof name === "symbol" || name === "then") return undefined;
      const missing = (): Promise<never> => Promise.reject(new ProviderError("UNIMPLEMENTED", `${name} is not implemented`));
      return Reflect.get(target, name) ?? missing;
    },
  });
}

function typeOf({ schema }: CaseType): Type {
  return impliedType(schema.block);
}

function planOf({ given, block }: CaseType, prior: unknown, config: unknown, proposed: unknown): ReturnType<typeof planCase> {
  const plan = planCase(block, prior, config, proposed);
  if (prior === null) return plan;
  return {
    planned: given.planned ? { ...(plan.planned as CaseObject), ...readTree(given.planned) } : plan.planned,
    requiresReplace: given.requiresReplace ?? plan.requiresReplace,
  };
}

/** Reads values of a case, in which a secret is its value. */
function readTree(object: CaseObject): CaseObject {
  return readPart(object) as CaseObject;
}

function readPart(value: unknown): unknown {
  if (typeof value !== "object" || value === null) return value;
  if (Array.isArray(value)) return value.map(readPart);
  if ("$unknown" in value) return Unknown;
  if ("$secret" in value) return readPart(value.$secret);
  return Object.fromEntries(Object.entries(value).map(([name, part]) => [name, readPart(part)]));
}

function pathOf(path: TreePath): Path {
  return path.map((step) => (typeof step === "string" ? attributeStep(step) : indexStep(typeof step === "number" ? step : step.key)));
}
