// SPDX-License-Identifier: Apache-2.0
import { openProvider } from "@tenon/plugin-host";
import { openSelectedProvider } from "../../provider/open-selected-provider.ts";
import type { SelectedProvider } from "../../provider/selected-provider.ts";
import { BridgeError } from "../../error.ts";
import { manifestText } from "../crd/manifest-text.ts";
import { operatorManifest, type OperatorDefinition } from "../operator/operator-definition.ts";
import { isJsonObject, type JsonValue } from "../values/json-value.ts";
import { readDataFile, readRulesFile } from "./kind-flags.ts";
import type { InstallArguments, OperatorOptions } from "./operator-options.ts";
import type { PrintSettings } from "./print-definitions.ts";
import { selectedResources } from "./selected-resources.ts";

/**
 * Returns the operator that the arguments select. Opens the provider once, for its address and resource types, and closes it again.
 *
 * @throws BridgeError `INVALID_ARGUMENTS`; PluginHostError if the provider cannot be opened.
 */
export async function selectedOperator(options: OperatorOptions, settings: PrintSettings): Promise<OperatorDefinition> {
  const { selection, name, group, scope, version, categories } = options;
  const rules = await readRulesFile(options.rules);
  const config = await readSettings(options.settings);
  const open = async (): Promise<SelectedProvider> =>
    await openSelectedProvider(selection, { ...settings, onLog: () => undefined, logLevel: "error", stopGraceMs: 10_000 });
  const { provider, address } = await open();
  let resources: readonly string[];
  try {
    const schema = await provider.getProviderSchema({});
    resources = selectedResources(schema.resources.keys(), selection, address);
  } finally {
    await provider.close();
  }
  return {
    name,
    group,
    scope,
    version,
    categories,
    rules,
    resources,
    providerAddress: address,
    open: async ({ configure }) => {
      const opened = await open();
      // A manifest can be printed without a configuration, even if the provider requires one.
      return (await openProvider(opened.provider, configure ? { config } : { configure: false })).provider;
    },
  };
}

/** Returns the install manifest of an operator as YAML. @throws As {@link selectedOperator}. */
export async function printedManifest(definition: OperatorDefinition, install: InstallArguments): Promise<string> {
  return manifestText(await operatorManifest(definition, install));
}

async function readSettings(path: string | undefined): Promise<Readonly<Record<string, JsonValue>>> {
  if (path === undefined) return {};
  const data = (await readDataFile(path, "the file of settings")) as JsonValue;
  if (isJsonObject(data)) return data;
  throw new BridgeError("INVALID_ARGUMENTS", `the file of settings ${path} must have an object`);
}
