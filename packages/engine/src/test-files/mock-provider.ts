// SPDX-License-Identifier: Apache-2.0
import { isKnown, isNull, nullOf, type Value } from "@tenon/cty";
import { transform } from "@tenon/cty/paths";
import { attributeAt, errorDiagnostic, type Block, type Provider } from "@tenon/schema";
import type { SubstitutedProvider } from "../evaluation/substitutions.ts";
import { composeMock, type MockedValue } from "./mock-value.ts";
import { MockText } from "./mock-text.ts";
import type { SubstitutedValues } from "./override-block.ts";

const noPrivateData = new Uint8Array();

/**
 * A provider whose objects exist only in the state. Plans, data sources and ephemeral resources have the configured values, and for computed
 * attributes the given or generated ones. Schemas, validation, upgrades and functions are those of the provider itself.
 *
 * @param values Values for computed attributes by name.
 * @see OpenTofu tofu, providerForTest
 */
export function mockProvider({ provider, schemas }: SubstitutedProvider, values: SubstitutedValues): Provider {
  const compose = (schema: Block | undefined, typeName: string, config: Value): MockedValue =>
    schema === undefined ? { diagnostics: [] } : composeMock(schema, config, values, new MockText(typeName));
  return {
    ...provider,
    readResource: async ({ typeName, currentState, private: privateData, currentIdentity }) => {
      const detail = "While reading a resource from a mock provider, the prior state was found to be missing.";
      const missing = errorDiagnostic(`Unexpected null value for prior state in \`${typeName}\``, detail);
      return {
        newState: currentState,
        diagnostics: isNull(currentState) ? [missing] : [],
        private: privateData,
        ...(currentIdentity && { newIdentity: currentIdentity }),
      };
    },
    planResourceChange: async ({ typeName, config, proposedNewState }) => {
      const rest = { requiresReplace: [], plannedPrivate: noPrivateData };
      if (isNull(config)) return { plannedState: proposedNewState, ...rest, diagnostics: [] };
      const schema = (await schemas()).resources.get(typeName)?.block;
      const { value, diagnostics } = compose(schema, typeName, schema === undefined ? config : withoutComputed(schema, config));
      return { plannedState: value ?? nullOf(config.type), ...rest, diagnostics };
    },
    applyResourceChange: async ({ plannedState }) => ({ newState: plannedState, private: noPrivateData, diagnostics: [] }),
    readDataSource: async ({ typeName, config }) => {
      const schema = (await schemas()).dataSources.get(typeName)?.block;
      const { value, diagnostics } = compose(schema, typeName, config);
      return { state: value ?? nullOf(config.type), diagnostics };
    },
    openEphemeralResource: async ({ typeName, config }) => {
      const schema = (await schemas()).ephemeralResources.get(typeName)?.block;
      const { value, diagnostics } = compose(schema, typeName, config);
      return { result: value ?? nullOf(config.type), diagnostics };
    },
    closeEphemeralResource: async () => ({ diagnostics: [] }),
    importResourceState: async ({ typeName }) => {
      const detail =
        "An object of a mocked provider or of an overridden resource exists only in the state of a test, and cannot be imported.";
      return { importedResources: [], diagnostics: [errorDiagnostic(`Import of \`${typeName}\` in a test`, detail)] };
    },
    close: () => provider.close(),
    [Symbol.asyncDispose]: () => provider.close(),
  };
}

/** The configuration without the values that only the provider may set. `ignore_changes` can put such values into it. */
function withoutComputed(schema: Block, config: Value): Value {
  if (!isKnown(config)) return config;
  return transform(config, (path, value) => {
    const attribute = path.length === 0 ? undefined : attributeAt(schema, path);
    return attribute?.computed === true && !attribute.optional ? nullOf(value.type) : value;
  });
}
