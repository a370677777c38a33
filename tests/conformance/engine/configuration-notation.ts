// SPDX-License-Identifier: Apache-2.0
// The declarations of a configuration in the notation of engine-oracle (../../peers/engine-oracle/op_configuration.go).
import { formatModulePath, formatProvider, formatInstanceKey } from "@tenon/engine/address";
import {
  allModules,
  formatModuleSource,
  formatVersionRequirement,
  providerConfigOfResource,
  providerRequirements,
  type Configuration,
  type LoadedConfiguration,
  type Module,
  type ResourceBlock,
} from "@tenon/engine/configuration";
import { formatConstraints } from "@tenon/plugin-host/address";
import { writeType, writeValue } from "../cty/subject/write.ts";
import { diagnosticsNotation } from "./diagnostic-notation.ts";

const byText = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);
const sorted = <T>(map: ReadonlyMap<string, T>): readonly (readonly [string, T])[] => [...map].sort(([a], [b]) => byText(a, b));

/** A loaded configuration in the notation of the oracle's answers. */
export function configurationNotation({ configuration, diagnostics }: LoadedConfiguration): unknown {
  const answer = { diagnostics: diagnosticsNotation(diagnostics) };
  if (configuration === undefined || diagnostics.some(({ severity }) => severity === "error")) return answer;
  const { requirements, diagnostics: providerDiagnostics } = providerRequirements(configuration);
  return {
    ...answer,
    modules: [...allModules(configuration)].map(moduleNotation).sort((a, b) => byText(a.path, b.path)),
    providers: sorted(requirements).map(([provider, { constraints }]) => ({ provider, version: formatConstraints(constraints) })),
    providerDiagnostics: diagnosticsNotation(providerDiagnostics),
  };
}

function moduleNotation({ path, module, calls, providerInstances }: Configuration) {
  return {
    path: formatModulePath(path),
    folder: module.folder,
    backend: module.backend?.type ?? "",
    variables: sorted(module.variables).map(([name, one]) => ({
      name,
      type: writeType(one.type!),
      parsing: one.parsing === "expression" ? "H" : "L",
      sensitive: one.sensitive ?? false,
      ephemeral: one.ephemeral ?? false,
      nullable: one.nullable ?? true,
      description: one.description ?? "",
      deprecated: one.deprecated ?? "",
      validations: one.validations.length,
      ...(one.default && { default: writeValue(one.default) }),
    })),
    locals: sorted(module.locals).map(([name]) => name),
    outputs: sorted(module.outputs).map(([name, one]) => ({
      name,
      sensitive: one.sensitive ?? false,
      ephemeral: one.ephemeral ?? false,
      description: one.description ?? "",
      dependsOn: one.dependsOn.length,
      preconditions: one.preconditions.length,
    })),
    resources: resourcesOf(module).map(([key, one]) => resourceNotation(key, one)),
    providers: sorted(module.providers).map(([name]) => ({
      name,
      instances: [...(providerInstances.get(name)?.keys() ?? [])].map(formatInstanceKey).sort(byText).join(""),
    })),
    calls: sorted(module.calls).map(([name, one]) => {
      const { source, version } = calls.get(name)!;
      return {
        name,
        source: source === undefined ? "" : formatModuleSource(source),
        version: formatVersionRequirement(version?.comparisons ?? []),
        providers: one.providers.length,
        dependsOn: one.dependsOn?.length ?? 0,
        count: one.count !== undefined,
        forEach: one.forEach !== undefined,
        enabled: one.enabled !== undefined,
      };
    }),
    checks: sorted(module.checks).map(([name]) => name),
    moved: module.moved.length,
    imports: module.imports.length,
    removed: module.removed.length,
  };
}

function resourcesOf(module: Module): readonly (readonly [string, ResourceBlock])[] {
  return [module.managedResources, module.dataResources, module.ephemeralResources].flatMap(sorted);
}

function resourceNotation(address: string, one: ResourceBlock) {
  const { localName, alias } = providerConfigOfResource(one);
  return {
    address,
    provider: one.provider === undefined ? "" : formatProvider(one.provider),
    config: alias === undefined ? localName : `${localName}.${alias}`,
    count: one.count !== undefined,
    forEach: one.forEach !== undefined,
    enabled: one.enabled !== undefined,
    dependsOn: one.dependsOn.length,
    preconditions: one.preconditions.length,
    postconditions: one.postconditions.length,
    ...(one.managed && {
      createBeforeDestroy: one.managed.createBeforeDestroy ?? false,
      ignoreAll: one.managed.ignoreChanges.all,
      ignore: one.managed.ignoreChanges.paths.length,
      triggers: one.managed.replaceTriggers.length,
      provisioners: one.managed.provisioners.length,
    }),
  };
}
