// SPDX-License-Identifier: Apache-2.0
import type { Body, Diagnostic } from "@tenon/hcl";
import type { BodySchema } from "@tenon/hcl/body";
import { readCheckBlock, type CheckBlock } from "./check-block.ts";
import { readImportBlock, type ImportBlock } from "./import-block.ts";
import { checkLanguageBlock, checkVersionRequirements } from "./language.ts";
import { readLocals, type LocalValue } from "./local-value.ts";
import { readModuleCall, type ModuleCall } from "./module-call.ts";
import { readMovedBlock, type MovedBlock } from "./moved-block.ts";
import { readOutput, type Output } from "./output.ts";
import { readProviderBlock, type ProviderBlock } from "./provider-block.ts";
import { readRemovedBlock, type RemovedBlock } from "./removed-block.ts";
import { contentOf } from "./block-content.ts";
import { reportError, type Report } from "./report.ts";
import { readDataResource, readEphemeralResource, readManagedResource } from "./resource-reading.ts";
import type { ResourceBlock } from "./resource.ts";
import { readTerraformBlock, type TerraformSettings } from "./terraform-block.ts";
import { readVariable, type Variable } from "./variable.ts";

/** The blocks of one configuration file, in the order of the source. */
export interface ConfigurationFile extends TerraformSettings {
  readonly providers: ProviderBlock[];
  readonly variables: Variable[];
  readonly locals: LocalValue[];
  readonly outputs: Output[];
  readonly moduleCalls: ModuleCall[];
  readonly managedResources: ResourceBlock[];
  readonly dataResources: ResourceBlock[];
  readonly ephemeralResources: ResourceBlock[];
  readonly moved: MovedBlock[];
  readonly imports: ImportBlock[];
  readonly removed: RemovedBlock[];
  readonly checks: CheckBlock[];
  /** Errors of version constraints that exclude the engine's version of OpenTofu. */
  readonly versionMismatches: readonly Diagnostic[];
}

const schema: BodySchema = {
  blocks: [
    { type: "language" },
    { type: "required_providers" },
    { type: "provider", labelNames: ["name"] },
    { type: "variable", labelNames: ["name"] },
    { type: "locals" },
    { type: "output", labelNames: ["name"] },
    { type: "module", labelNames: ["name"] },
    { type: "resource", labelNames: ["type", "name"] },
    { type: "data", labelNames: ["type", "name"] },
    { type: "ephemeral", labelNames: ["type", "name"] },
    { type: "moved" },
    { type: "import" },
    { type: "check", labelNames: ["name"] },
    { type: "removed" },
    { type: "terraform" },
  ],
};

/** Reads the body of a configuration file, and adds its diagnostics to the report. @see OpenTofu configs, loadConfigFileBody */
export function readConfigurationFile(body: Body, isOverride: boolean, report: Report): ConfigurationFile {
  const versionMismatches = checkVersionRequirements(body, report);
  report.push(...versionMismatches);
  const file: ConfigurationFile = {
    backends: [],
    clouds: [],
    requiredProviders: [],
    providerMetas: [],
    encryptions: [],
    providers: [],
    variables: [],
    locals: [],
    outputs: [],
    moduleCalls: [],
    managedResources: [],
    dataResources: [],
    ephemeralResources: [],
    moved: [],
    imports: [],
    removed: [],
    checks: [],
    versionMismatches,
  };
  for (const block of contentOf(body, schema, report).blocks) {
    switch (block.type) {
      case "language":
        checkLanguageBlock(block, isOverride, report);
        break;
      case "terraform":
        readTerraformBlock(block, file, report);
        break;
      case "required_providers": {
        const detail = 'A "required_providers" block must be nested inside a "terraform" block.';
        reportError(report, "Invalid required_providers block", detail, block.typeRange);
        break;
      }
      case "provider": {
        const provider = readProviderBlock(block, report);
        if (provider !== undefined) file.providers.push(provider);
        break;
      }
      case "variable":
        file.variables.push(readVariable(block, isOverride, report));
        break;
      case "locals":
        file.locals.push(...readLocals(block, report));
        break;
      case "output":
        file.outputs.push(readOutput(block, isOverride, report));
        break;
      case "module":
        file.moduleCalls.push(readModuleCall(block, isOverride, report));
        break;
      case "resource":
        file.managedResources.push(readManagedResource(block, isOverride, report));
        break;
      case "data":
        file.dataResources.push(readDataResource(block, isOverride, report));
        break;
      case "ephemeral":
        file.ephemeralResources.push(readEphemeralResource(block, isOverride, report));
        break;
      case "moved":
        file.moved.push(readMovedBlock(block, report));
        break;
      case "import":
        file.imports.push(readImportBlock(block, report));
        break;
      case "check":
        file.checks.push(readCheckBlock(block, isOverride, report));
        break;
      default:
        file.removed.push(readRemovedBlock(block, report));
    }
  }
  return file;
}
