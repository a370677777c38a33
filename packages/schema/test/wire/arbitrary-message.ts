// SPDX-License-Identifier: Apache-2.0
import { attributeStep, bool, indexStep, number, type Path, type Value } from "@tenon/cty";
import fc from "fast-check";
import {
  identityType,
  type ClientCapabilities,
  type Deferred,
  type Diagnostic,
  type FunctionSignature,
  type GetProviderSchemaResponse,
  type IdentitySchema,
  type Provider,
  type RawState,
  type Schema,
  type ServerCapabilities,
  type StateChunk,
  type StreamingCall,
  type UnaryCall,
} from "../../src/index.ts";
import { arbitraryFunction, arbitraryIdentitySchema, arbitrarySchema } from "./arbitrary-schema.ts";
import { arbitraryBlockValue, arbitraryValue } from "./arbitrary-value.ts";

const diagnosticText = fc.string({ unit: "grapheme", maxLength: 12 });

/** Paths that the wire carries unchanged: the name of the first step exists in no schema, so that no step enters a set. */
const path: fc.Arbitrary<Path> = fc
  .tuple(
    fc.constant(attributeStep("elsewhere")),
    fc.array(
      fc.oneof(
        fc.string({ maxLength: 5 }).map(attributeStep),
        fc.string({ maxLength: 5 }).map((key) => indexStep(key)),
        fc.maxSafeNat().map((key) => indexStep(key)),
      ),
      { maxLength: 4 },
    ),
  )
  .map((steps) => steps.flat());

const diagnostic: fc.Arbitrary<Diagnostic> = fc.record(
  { severity: fc.constantFrom("error", "warning"), summary: diagnosticText, detail: diagnosticText, attribute: path },
  { requiredKeys: ["severity", "summary", "detail"] },
);
const diagnostics = fc.array(diagnostic, { maxLength: 2 });
const warnings = diagnostics.map((all) => all.filter(({ severity }) => severity === "warning"));
const bytes = fc.uint8Array({ maxLength: 8 });
const someBytes = fc.uint8Array({ minLength: 1, maxLength: 8 });
const clientCapabilities: fc.Arbitrary<ClientCapabilities> = fc.record({
  deferralAllowed: fc.boolean(),
  writeOnlyAttributesAllowed: fc.boolean(),
});
const serverCapabilities: fc.Arbitrary<ServerCapabilities> = fc.record({
  planDestroy: fc.boolean(),
  getProviderSchemaOptional: fc.boolean(),
  moveResourceState: fc.boolean(),
  generateResourceConfig: fc.boolean(),
});
const deferred: fc.Arbitrary<Deferred> = fc.record({
  reason: fc.constantFrom("unknown", "resourceConfigUnknown", "providerConfigUnknown", "absentPrerequisite"),
});
const rawState: fc.Arbitrary<RawState> = fc.oneof(
  fc.record({ json: someBytes }),
  fc.record({ flatmap: fc.dictionary(fc.string({ minLength: 1 }), fc.string(), { minKeys: 1, maxKeys: 3, noNullPrototype: true }) }),
);
const time = fc.date({ noInvalidDate: true, min: new Date(-1e12), max: new Date(4e12) });
const integer = fc.maxSafeInteger();
const size = fc.maxSafeNat();
const text = fc.string({ maxLength: 6 });
const legacyTypeSystem = fc.constant(true);

/** Schemas of a provider with one component of each kind. */
export interface ProviderSchemas {
  readonly schema: GetProviderSchemaResponse;
  readonly identities: ReadonlyMap<string, IdentitySchema>;
}

export function arbitraryProviderSchemas(protocol: 5 | 6): fc.Arbitrary<ProviderSchemas> {
  const schema = arbitrarySchema(protocol);
  const named = (name: string): fc.Arbitrary<ReadonlyMap<string, Schema>> => schema.map((one) => new Map([[name, one]]));
  return fc.record({
    schema: fc.record(
      {
        provider: schema,
        providerMeta: schema,
        resources: fc.tuple(schema, schema).map(
          ([thing, other]) =>
            new Map([
              ["other", other],
              ["thing", thing],
            ]),
        ),
        dataSources: named("data"),
        functions: arbitraryFunction.map((one) => new Map([["fn", one]])),
        ephemeralResources: named("ephemeral"),
        listResources: named("thing"),
        stateStores: protocol === 5 ? fc.constant(new Map<string, Schema>()) : named("store"),
        actions: named("action"),
        serverCapabilities,
        diagnostics: warnings,
      },
      {
        requiredKeys: [
          "provider",
          "resources",
          "dataSources",
          "functions",
          "ephemeralResources",
          "listResources",
          "stateStores",
          "actions",
          "serverCapabilities",
          "diagnostics",
        ],
      },
    ),
    identities: arbitraryIdentitySchema.map((one) => new Map([["thing", one]])),
  });
}

/** A request and its response; for a stream, the array of its events. */
export interface Exchange {
  readonly request: unknown;
  readonly response: unknown;
}

type RequestOf<Name extends keyof Provider> =
  Provider[Name] extends UnaryCall<infer Request, unknown>
    ? Request
    : Provider[Name] extends StreamingCall<infer Request, unknown>
      ? Request
      : never;
type ResponseOf<Name extends keyof Provider> =
  Provider[Name] extends StreamingCall<never, infer Event>
    ? readonly Event[]
    : Provider[Name] extends UnaryCall<never, infer Response>
      ? Response
      : never;
type CallName = Exclude<
  keyof Provider,
  "close" | typeof Symbol.asyncDispose | "writeStateBytes" | "getProviderSchema" | "getResourceIdentitySchemas"
>;
export type Exchanges = {
  readonly [Name in CallName]: fc.Arbitrary<{ readonly request: RequestOf<Name>; readonly response: ResponseOf<Name> }>;
};

/** Returns arbitrary requests and responses of every RPC, for a provider with the given schemas. */
export function arbitraryExchanges({ schema, identities }: ProviderSchemas): Exchanges {
  const thing = arbitraryBlockValue(schema.resources.get("thing")!);
  const other = arbitraryBlockValue(schema.resources.get("other")!);
  const data = arbitraryBlockValue(schema.dataSources.get("data")!);
  const ephemeral = arbitraryBlockValue(schema.ephemeralResources.get("ephemeral")!);
  const list = arbitraryBlockValue(schema.listResources.get("thing")!);
  const action = arbitraryBlockValue(schema.actions.get("action")!);
  const storeSchema = schema.stateStores.get("store");
  const store = storeSchema === undefined ? other : arbitraryBlockValue(storeSchema);
  const config = arbitraryBlockValue(schema.provider!);
  const identity = arbitraryValue(identityType(identities.get("thing")!));
  const meta: { providerMeta?: fc.Arbitrary<Value> } =
    schema.providerMeta === undefined ? {} : { providerMeta: arbitraryBlockValue(schema.providerMeta) };
  const typeName = fc.constant("thing");
  const validated = <Fields extends object>(
    request: fc.Arbitrary<Fields>,
  ): fc.Arbitrary<{ request: Fields; response: { diagnostics: Diagnostic[] } }> =>
    fc.record({ request, response: fc.record({ diagnostics }) });
  const state = { typeName: fc.constant("store"), stateId: text };

  return {
    getMetadata: fc.record({
      request: fc.constant({}),
      response: fc.record({
        serverCapabilities,
        diagnostics,
        resources: fc.array(text),
        dataSources: fc.array(text),
        functions: fc.array(text),
        ephemeralResources: fc.array(text),
        listResources: fc.array(text),
        stateStores: storeSchema === undefined ? fc.constant([]) : fc.array(text),
        actions: fc.array(text),
      }),
    }),
    validateProviderConfig: validated(fc.record({ config })),
    configureProvider: validated(
      fc.record({ terraformVersion: text, config, clientCapabilities }, { requiredKeys: ["terraformVersion", "config"] }),
    ),
    stop: fc.record({ request: fc.constant({}), response: fc.record({ error: text }) }),

    validateResourceConfig: validated(fc.record({ typeName, config: thing, clientCapabilities }, { requiredKeys: ["typeName", "config"] })),
    upgradeResourceState: fc.record({
      request: fc.record({ typeName, version: integer, rawState }),
      response: fc.record({ upgradedState: thing, diagnostics }, { requiredKeys: ["diagnostics"] }),
    }),
    upgradeResourceIdentity: fc.record({
      request: fc.record({ typeName, version: integer, rawIdentity: rawState }),
      response: fc.record({ upgradedIdentity: identity, diagnostics }, { requiredKeys: ["diagnostics"] }),
    }),
    readResource: fc.record({
      request: fc.record(
        { typeName, currentState: thing, private: bytes, ...meta, clientCapabilities, currentIdentity: identity },
        { requiredKeys: ["typeName", "currentState", "private"] },
      ),
      response: fc.record(
        { newState: thing, diagnostics, private: bytes, deferred, newIdentity: identity },
        { requiredKeys: ["newState", "diagnostics", "private"] },
      ),
    }),
    planResourceChange: fc.record({
      request: fc.record(
        {
          typeName,
          priorState: thing,
          proposedNewState: thing,
          config: thing,
          priorPrivate: bytes,
          ...meta,
          clientCapabilities,
          priorIdentity: identity,
        },
        { requiredKeys: ["typeName", "priorState", "proposedNewState", "config", "priorPrivate"] },
      ),
      response: fc.record(
        {
          plannedState: thing,
          requiresReplace: fc.array(path, { maxLength: 2 }),
          plannedPrivate: bytes,
          diagnostics,
          legacyTypeSystem,
          deferred,
          plannedIdentity: identity,
        },
        { requiredKeys: ["plannedState", "requiresReplace", "plannedPrivate", "diagnostics"] },
      ),
    }),
    applyResourceChange: fc.record({
      request: fc.record(
        { typeName, priorState: thing, plannedState: thing, config: thing, plannedPrivate: bytes, ...meta, plannedIdentity: identity },
        { requiredKeys: ["typeName", "priorState", "plannedState", "config", "plannedPrivate"] },
      ),
      response: fc.record(
        { newState: thing, private: bytes, diagnostics, legacyTypeSystem, newIdentity: identity },
        { requiredKeys: ["newState", "private", "diagnostics"] },
      ),
    }),
    importResourceState: fc.record({
      request: fc.record({ typeName, id: text, clientCapabilities, identity }, { requiredKeys: ["typeName", "id"] }),
      response: fc.record(
        {
          importedResources: fc.array(
            fc.oneof(
              fc.record({ typeName, state: thing, private: bytes, identity }, { requiredKeys: ["typeName", "state", "private"] }),
              fc.record({ typeName: fc.constant("other"), state: other, private: bytes }),
            ),
            { maxLength: 2 },
          ),
          diagnostics,
          deferred,
        },
        { requiredKeys: ["importedResources", "diagnostics"] },
      ),
    }),
    moveResourceState: fc.record({
      request: fc.record(
        {
          sourceProviderAddress: text,
          sourceTypeName: text,
          sourceSchemaVersion: integer,
          sourceState: rawState,
          targetTypeName: typeName,
          sourcePrivate: bytes,
          sourceIdentity: rawState,
          sourceIdentitySchemaVersion: integer,
        },
        {
          requiredKeys: [
            "sourceProviderAddress",
            "sourceTypeName",
            "sourceSchemaVersion",
            "sourceState",
            "targetTypeName",
            "sourcePrivate",
            "sourceIdentitySchemaVersion",
          ],
        },
      ),
      response: fc.record(
        { targetState: thing, diagnostics, targetPrivate: bytes, targetIdentity: identity },
        { requiredKeys: ["diagnostics", "targetPrivate"] },
      ),
    }),
    generateResourceConfig: fc.record({
      request: fc.record({ typeName, state: thing }),
      response: fc.record({ config: thing, diagnostics }, { requiredKeys: ["diagnostics"] }),
    }),

    validateDataResourceConfig: validated(fc.record({ typeName: fc.constant("data"), config: data })),
    readDataSource: fc.record({
      request: fc.record(
        { typeName: fc.constant("data"), config: data, ...meta, clientCapabilities },
        { requiredKeys: ["typeName", "config"] },
      ),
      response: fc.record({ state: data, diagnostics, deferred }, { requiredKeys: ["state", "diagnostics"] }),
    }),

    validateEphemeralResourceConfig: validated(fc.record({ typeName: fc.constant("ephemeral"), config: ephemeral })),
    openEphemeralResource: fc.record({
      request: fc.record(
        { typeName: fc.constant("ephemeral"), config: ephemeral, clientCapabilities },
        { requiredKeys: ["typeName", "config"] },
      ),
      response: fc.record(
        { diagnostics, renewAt: time, result: ephemeral, private: bytes, deferred },
        { requiredKeys: ["diagnostics", "result"] },
      ),
    }),
    renewEphemeralResource: fc.record({
      request: fc.record({ typeName: fc.constant("ephemeral"), private: bytes }, { requiredKeys: ["typeName"] }),
      response: fc.record({ diagnostics, renewAt: time, private: bytes }, { requiredKeys: ["diagnostics"] }),
    }),
    closeEphemeralResource: validated(fc.record({ typeName: fc.constant("ephemeral"), private: bytes }, { requiredKeys: ["typeName"] })),

    getFunctions: fc.record({
      request: fc.constant({}),
      response: fc.record({
        functions: fc.dictionary(text, arbitraryFunction, { maxKeys: 2 }).map((all) => new Map(Object.entries(all))),
        diagnostics,
      }),
    }),
    callFunction: functionExchange(schema.functions.get("fn")!),

    validateListResourceConfig: validated(
      fc.record({ typeName, config: list, includeResourceObject: arbitraryValue(bool), limit: arbitraryValue(number) }),
    ),
    listResource: fc.record({
      request: fc.record({ typeName, config: list, includeResourceObject: fc.boolean(), limit: size }),
      response: fc.array(
        fc.record({ identity, displayName: text, resourceObject: thing, diagnostics }, { requiredKeys: ["displayName", "diagnostics"] }),
        { maxLength: 3 },
      ),
    }),

    validateActionConfig: validated(fc.record({ actionType: fc.constant("action"), config: action })),
    planAction: fc.record({
      request: fc.record(
        { actionType: fc.constant("action"), config: action, clientCapabilities },
        { requiredKeys: ["actionType", "config"] },
      ),
      response: fc.record({ diagnostics, deferred }, { requiredKeys: ["diagnostics"] }),
    }),
    invokeAction: fc.record({
      request: fc.record(
        { actionType: fc.constant("action"), config: action, clientCapabilities },
        { requiredKeys: ["actionType", "config"] },
      ),
      response: fc.array(
        fc.oneof(
          fc.record({ kind: fc.constant("progress" as const), message: text }),
          fc.record({ kind: fc.constant("completed" as const), diagnostics }),
        ),
        { maxLength: 3 },
      ),
    }),

    validateStateStoreConfig: validated(fc.record({ typeName: fc.constant("store"), config: store })),
    configureStateStore: fc.record({
      request: fc.record({ typeName: fc.constant("store"), config: store, chunkSize: size }),
      response: fc.record({ diagnostics, chunkSize: size }),
    }),
    readStateBytes: fc.record({
      request: fc.record(state),
      response: fc.array(
        arbitraryChunk.chain((chunk) => diagnostics.map((all) => ({ ...chunk, diagnostics: all }))),
        { maxLength: 3 },
      ),
    }),
    lockState: fc.record({ request: fc.record({ ...state, operation: text }), response: fc.record({ lockId: text, diagnostics }) }),
    unlockState: validated(fc.record({ ...state, lockId: text })),
    getStates: fc.record({
      request: fc.record({ typeName: fc.constant("store") }),
      response: fc.record({ stateIds: fc.array(text), diagnostics }),
    }),
    deleteState: validated(fc.record(state)),
  };
}

export const arbitraryChunk: fc.Arbitrary<StateChunk> = fc.record({ bytes, totalLength: size, start: size, end: size });

function functionExchange({ parameters, variadicParameter, returnType }: FunctionSignature): Exchanges["callFunction"] {
  const rest = variadicParameter === undefined ? fc.constant([]) : fc.array(arbitraryValue(variadicParameter.type), { maxLength: 2 });
  const given = fc.tuple(...parameters.map(({ type }) => arbitraryValue(type)));
  return fc.record({
    request: fc.record({ name: fc.constant("fn"), arguments: fc.tuple(given, rest).map((all) => all.flat()) }),
    response: fc.oneof(
      fc.record({ result: arbitraryValue(returnType) }),
      fc.record({ error: fc.record({ text, functionArgument: size }, { requiredKeys: ["text"] }) }),
    ),
  });
}
