// SPDX-License-Identifier: Apache-2.0
import { formatModulePath, isSameModulePath } from "../address/module.ts";
import { formatConfigResource, formatResource } from "../address/resource.ts";
import { descendant, type Configuration } from "../configuration/configuration.ts";
import { reportError, reportWarning, type Report } from "../configuration/report.ts";
import {
  reportDuplicateModules,
  reportDuplicateResources,
  type ModuleOverride,
  type ResourceOverride,
  type SubstitutedValues,
} from "./override-block.ts";
import type { RunBlock } from "./run-block.ts";
import type { TestFile } from "./test-file.ts";

/** The overrides of a run block: its own, and those of its file for other targets. */
export interface RunOverrides {
  /** The values of overridden resources, by address in the configuration. */
  readonly resources: ReadonlyMap<string, SubstitutedValues>;
  readonly modules: readonly ModuleOverride[];
}

/** Reports overrides with the same target in a run block, or in a file outside of its run blocks. @see OpenTofu configs, TestFile.Validate */
export function validateOverrides(
  { resourceOverrides, moduleOverrides }: Pick<TestFile | RunBlock, "resourceOverrides" | "moduleOverrides">,
  report: Report,
): void {
  reportDuplicateResources(resourceOverrides, report);
  reportDuplicateModules(moduleOverrides, report);
}

/** The overrides of a run block in a configuration. Targets that the configuration does not have are errors. */
export function runOverrides(configuration: Configuration, run: RunBlock, file: TestFile, report: Report): RunOverrides {
  const resources = mergedResources(run, file, report);
  for (const override of resources) checkResource(configuration, override, report);
  const modules = mergedModules(run, file, report);
  for (const override of modules) checkModule(configuration, override, report);
  return { resources: new Map(resources.map(({ target, values }) => [formatConfigResource(target), values])), modules };
}

/** @see OpenTofu configs, mergeOverriddenResources */
function mergedResources(run: RunBlock, file: TestFile, report: Report): readonly ResourceOverride[] {
  const own = new Set(run.resourceOverrides.map(({ target }) => formatConfigResource(target)));
  const others = file.resourceOverrides.filter(({ blockType, target, targetRange }) => {
    const address = formatConfigResource(target);
    if (!own.has(address)) return true;
    const detail = `\`${address}\` is overridden in both global file and local run blocks. The declaration in global file block will be ignored.`;
    reportWarning(report, `Multiple \`${blockType}\` blocks for the same address`, detail, targetRange);
    return false;
  });
  return [...run.resourceOverrides, ...others];
}

/** @see OpenTofu configs, mergeOverriddenModules */
function mergedModules(run: RunBlock, file: TestFile, report: Report): readonly ModuleOverride[] {
  const others = file.moduleOverrides.filter(({ target, targetRange }) => {
    if (!run.moduleOverrides.some((own) => isSameModulePath(own.target, target))) return true;
    const detail = `Module \`${formatModulePath(target)}\` is overridden in both global file and local run blocks. The declaration in global file block will be ignored.`;
    reportWarning(report, "Multiple `override_module` blocks for the same address", detail, targetRange);
    return false;
  });
  return [...run.moduleOverrides, ...others];
}

function checkResource(configuration: Configuration, { blockType, target, targetRange }: ResourceOverride, report: Report): void {
  const { module: path, resource } = target;
  const module = descendant(configuration, path)?.module;
  if (module === undefined) {
    const detail = "Target points to resource in undefined module. Please, ensure module exists.";
    reportError(report, `Module not found: ${formatModulePath(path)}`, detail, targetRange);
    return;
  }
  const key = formatResource(resource);
  const block = module.managedResources.get(key) ?? module.dataResources.get(key) ?? module.ephemeralResources.get(key);
  const address = formatConfigResource(target);
  if (block === undefined) {
    const detail = "Target points to undefined resource. Please, ensure resource exists.";
    reportError(report, `Resource not found: ${address}`, detail, targetRange);
    return;
  }
  const [mode, targetMode] = blockType === "override_data" ? ["data", "resource"] : ["managed", "data"];
  if (resource.mode === mode) return;
  const detail = `Target \`${address}\` is \`${targetMode}\` block itself and cannot be overridden with \`${blockType}\`.`;
  reportError(report, `Unsupported \`${targetMode}\` target in \`${blockType}\` block`, detail, targetRange);
}

function checkModule(configuration: Configuration, { target, targetRange, outputs }: ModuleOverride, report: Report): void {
  const module = descendant(configuration, target)?.module;
  if (module === undefined) {
    const detail = "Target points to an undefined module. Please, ensure module exists.";
    reportError(report, `Module not found: ${formatModulePath(target)}`, detail, targetRange);
    return;
  }
  for (const name of outputs.keys()) {
    if (module.outputs.has(name)) continue;
    const detail = "Specified output to override is not present in the module and will be ignored.";
    reportWarning(report, `Output not found: ${name}`, detail, targetRange);
  }
}
