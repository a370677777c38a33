// SPDX-License-Identifier: Apache-2.0
import { ProviderError, type Provider, type ProviderFactory, type ServerCapabilities, unimplementedCalls } from "@tenon/schema";
import { readRemoteState, remoteStateSchema, validateRemoteState, type RemoteStateEnvironment } from "./remote-state.ts";
import {
  applyTerraformData,
  importTerraformData,
  moveTerraformData,
  planTerraformData,
  terraformDataSchema,
  upgradeTerraformData,
  validateTerraformData,
} from "./terraform-data.ts";
import { builtInFunctions } from "./variable-functions.ts";

/** The environment of the built-in provider. */
export interface BuiltInEnvironment extends RemoteStateEnvironment {
  /** Random bytes, for the ids of `terraform_data`. */
  readonly randomBytes: (count: number) => Uint8Array;
}

const serverCapabilities: ServerCapabilities = {
  planDestroy: false,
  getProviderSchemaOptional: false,
  moveResourceState: true,
  generateResourceConfig: false,
};

/**
 * The provider `terraform.io/builtin/terraform`: the resource `terraform_data`, the data source `terraform_remote_state`, and functions
 * for files of variables. It is part of the engine, needs no configuration and has no resources to close.
 *
 * @see OpenTofu internal/builtin/providers/tf
 */
export function builtInProviderFactory(environment: BuiltInEnvironment): ProviderFactory {
  return async () => createBuiltInProvider(environment);
}

function createBuiltInProvider(environment: BuiltInEnvironment): Provider {
  const functions = new Map(Array.from(builtInFunctions, ([name, { signature }]) => [name, signature]));
  const close = (): Promise<void> => Promise.resolve();
  return {
    ...unimplementedCalls("the built-in provider"),
    getMetadata: async () => ({
      serverCapabilities,
      diagnostics: [],
      resources: ["terraform_data"],
      dataSources: ["terraform_remote_state"],
      functions: [...functions.keys()],
      ephemeralResources: [],
      listResources: [],
      stateStores: [],
      actions: [],
    }),
    getProviderSchema: async () => ({
      resources: new Map([["terraform_data", terraformDataSchema]]),
      dataSources: new Map([["terraform_remote_state", remoteStateSchema]]),
      functions,
      ephemeralResources: new Map(),
      listResources: new Map(),
      stateStores: new Map(),
      actions: new Map(),
      serverCapabilities,
      diagnostics: [],
    }),
    getResourceIdentitySchemas: async () => ({ identitySchemas: new Map(), diagnostics: [] }),
    validateProviderConfig: async () => ({ diagnostics: [] }),
    configureProvider: async () => ({ diagnostics: [] }),
    validateResourceConfig: async (request) => ofResource(request, validateTerraformData),
    upgradeResourceState: async (request) => ofResource(request, upgradeTerraformData),
    readResource: async (request) =>
      ofResource(request, ({ currentState, private: privateData }) => ({ newState: currentState, private: privateData, diagnostics: [] })),
    planResourceChange: async (request) => ofResource(request, planTerraformData),
    applyResourceChange: async (request) => ofResource(request, (change) => applyTerraformData(change, environment.randomBytes)),
    importResourceState: async (request) => ofResource(request, importTerraformData),
    moveResourceState: async (request) => moveTerraformData(request),
    validateDataResourceConfig: async ({ typeName, config }) => {
      checkType(typeName, "terraform_remote_state");
      return { diagnostics: validateRemoteState(config, environment) };
    },
    readDataSource: async ({ typeName, config }, { signal } = {}) => {
      checkType(typeName, "terraform_remote_state");
      const { value, diagnostics } = await readRemoteState(config, environment, signal === undefined ? {} : { signal });
      return { state: value, diagnostics };
    },
    getFunctions: async () => ({ functions, diagnostics: [] }),
    callFunction: async ({ name, arguments: [argument] }) => {
      const called = builtInFunctions.get(name);
      if (called === undefined || argument === undefined) return { error: { text: `provider function "${name}" not found` } };
      return called.call(argument);
    },
    stop: async () => ({ error: "" }),
    close,
    [Symbol.asyncDispose]: close,
  };
}

function ofResource<Request extends { readonly typeName: string }, Response>(
  request: Request,
  respond: (request: Request) => Response,
): Response {
  checkType(request.typeName, "terraform_data");
  return respond(request);
}

function checkType(name: string, known: string): void {
  if (name !== known) throw new ProviderError("INVALID_REQUEST", `the built-in provider has no type ${JSON.stringify(name)}`);
}
