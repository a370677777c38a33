// SPDX-License-Identifier: Apache-2.0
import { CtyError, dynamic, get, isNull, nullOf, objectOf, unknown, type Value } from "@tenon/cty";
import { decode } from "@tenon/cty/json";
import {
  createAttribute,
  createSchema,
  errorDiagnostic,
  impliedType,
  type Provider,
  type RawState,
  type Schema,
  type ServerCapabilities,
  unimplementedCalls,
} from "@tenon/schema";

const typeName = "echo";

const providerSchema: Schema = createSchema({
  attributes: { data: createAttribute({ type: dynamic, optional: true, description: "The value that echo resources store." }) },
});

const resourceSchema: Schema = createSchema({
  attributes: {
    data: createAttribute({ type: dynamic, computed: true, description: "The value of the provider when the resource was created." }),
  },
});

const resourceType = impliedType(resourceSchema.block);
const serverCapabilities: ServerCapabilities = {
  planDestroy: false,
  getProviderSchemaOptional: false,
  moveResourceState: false,
  generateResourceConfig: false,
};

/**
 * The factory of a provider that stores the value of its configuration in a resource, so that a case can check ephemeral values, which no state has:
 * its argument `data` takes any value, and a resource `echo` has it as `data` from its creation on. Later changes of the value change nothing, because
 * ephemeral values may differ in every operation.
 *
 * The value is in the state of the case: use values that may be read.
 *
 * Ephemeral values need Terraform 1.10 or OpenTofu 1.11: `versionChecks: [skipBelow({ terraform: "1.10.0", opentofu: "1.11.0" })]`.
 *
 * @see terraform-plugin-testing, echoprovider
 *
 * @example
 * configStep(`
 *   ephemeral "vault_token" "t" {}
 *   provider "echo" { data = ephemeral.vault_token.t }
 *   resource "echo" "t" {}
 * `, { stateChecks: [expectKnownValue("echo.t", ["data", "name"], "deploy")] });
 */
export async function echoProvider(): Promise<Provider> {
  let configured: Value = nullOf(dynamic);
  const close = (): Promise<void> => Promise.resolve();
  return {
    ...unimplementedCalls("the echo provider"),
    getMetadata: async () => ({
      serverCapabilities,
      diagnostics: [],
      resources: [typeName],
      dataSources: [],
      functions: [],
      ephemeralResources: [],
      listResources: [],
      stateStores: [],
      actions: [],
    }),
    getProviderSchema: async () => ({
      provider: providerSchema,
      resources: new Map([[typeName, resourceSchema]]),
      dataSources: new Map(),
      functions: new Map(),
      ephemeralResources: new Map(),
      listResources: new Map(),
      stateStores: new Map(),
      actions: new Map(),
      serverCapabilities,
      diagnostics: [],
    }),
    getResourceIdentitySchemas: async () => ({ identitySchemas: new Map(), diagnostics: [] }),
    getFunctions: async () => ({ functions: new Map(), diagnostics: [] }),
    validateProviderConfig: async () => ({ diagnostics: [] }),
    configureProvider: async ({ config }) => {
      configured = isNull(config) ? nullOf(dynamic) : get(config, "data");
      return { diagnostics: [] };
    },
    validateResourceConfig: async () => ({ diagnostics: [] }),
    upgradeResourceState: async ({ rawState }) => upgraded(rawState),
    readResource: async ({ currentState, private: privateData }) => ({ newState: currentState, private: privateData, diagnostics: [] }),
    planResourceChange: async ({ priorState, proposedNewState, priorPrivate }) => {
      const isCreated = isNull(priorState) && !isNull(proposedNewState);
      const plannedState = isCreated ? echoObject(unknown(dynamic)) : isNull(proposedNewState) ? proposedNewState : priorState;
      return { plannedState, requiresReplace: [], plannedPrivate: priorPrivate, diagnostics: [] };
    },
    applyResourceChange: async ({ plannedState, plannedPrivate }) => ({
      newState: isNull(plannedState) ? plannedState : echoObject(configured),
      private: plannedPrivate,
      diagnostics: [],
    }),
    stop: async () => ({ error: "" }),
    close,
    [Symbol.asyncDispose]: close,
  };
}

function echoObject(data: Value): Value {
  return objectOf(new Map([["data", data]]));
}

function upgraded({ json }: RawState) {
  try {
    return { upgradedState: decode(new TextDecoder().decode(json), resourceType), diagnostics: [] };
  } catch (error) {
    if (error instanceof CtyError) return { diagnostics: [errorDiagnostic("The stored echo resource cannot be read", error.message)] };
    throw error;
  }
}
