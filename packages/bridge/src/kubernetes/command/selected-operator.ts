// SPDX-License-Identifier: Apache-2.0
import { openProvider } from "@tenon/plugin-host";
import { cacheVariable, openSelectedProvider } from "../../provider/open-selected-provider.ts";
import { installedSupply } from "../../provider/provider-supply.ts";
import type { SelectedProvider } from "../../provider/selected-provider.ts";
import { BridgeError } from "../../error.ts";
import { manifestText } from "../crd/manifest-text.ts";
import { operatorManifest, type OperatorDefinition, type OperatorKinds, type ProviderLog } from "../operator/operator-definition.ts";
import { isJsonObject, type JsonValue } from "../values/json-value.ts";
import { readDataFile, readRulesFile } from "./kind-flags.ts";
import type { InstallArguments, OperatorOptions } from "./operator-options.ts";
import type { PrintSettings } from "./print-definitions.ts";
import { selectedComponents, selectedResources } from "./selected-resources.ts";

/**
 * Returns the operator that the arguments select. Opens the provider once, for its address and resource types, and closes it again.
 *
 * @throws BridgeError `INVALID_ARGUMENTS`; PluginHostError if the provider cannot be opened.
 */
export async function selectedOperator(options: OperatorOptions, settings: PrintSettings): Promise<OperatorDefinition> {
  const { selection, name, group, scope, version, categories } = options;
  const rules = await readRulesFile(options.rules);
  const config = await readSettings(options.settings);
  const open = async (log: ProviderLog): Promise<SelectedProvider> =>
    await openSelectedProvider(selection, { ...settings, ...log, stopGraceMs: 10_000 });
  const { provider, address, pinned } = await open({ onLog: () => undefined, logLevel: "error" });
  let kinds: OperatorKinds;
  try {
    const schemas = await provider.getProviderSchema({});
    const resources = selectedResources(schemas.resources.keys(), selection, address);
    kinds = { name, group, scope, version, categories, rules, resources, ...selectedComponents(schemas, options.components) };
  } finally {
    await provider.close();
  }
  if (config === undefined) {
    const cacheFolder = settings.environment[cacheVariable];
    const supplySettings = { ...settings, stopGraceMs: 10_000, ...(cacheFolder ? { cacheFolder } : {}) };
    return { ...kinds, supply: (log) => installedSupply(pinned.source, { ...supplySettings, ...log }) };
  }
  return {
    ...kinds,
    providerAddress: address,
    open: async ({ configure, ...log }) => {
      const opened = await open(log);
      // A manifest can be printed without a configuration, even if the provider requires one.
      return (await openProvider(opened.provider, configure ? { config } : { configure: false })).provider;
    },
  };
}

/** Returns the install manifest of an operator as YAML. @throws As {@link selectedOperator}. */
export async function printedManifest(definition: OperatorDefinition, install: InstallArguments): Promise<string> {
  return manifestText(await operatorManifest(definition, install));
}

async function readSettings(path: string | undefined): Promise<Readonly<Record<string, JsonValue>> | undefined> {
  if (path === undefined) return undefined;
  const data = (await readDataFile(path, "the file of settings")) as JsonValue;
  if (isJsonObject(data)) return data;
  throw new BridgeError("INVALID_ARGUMENTS", `the file of settings ${path} must have an object`);
}
