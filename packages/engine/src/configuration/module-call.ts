// SPDX-License-Identifier: Apache-2.0
import type { Body, Expression, SourceRange } from "@tenon/hcl";
import { overrideBody, type Attribute, type Block, type BodySchema } from "@tenon/hcl/body";
import type { Traversal } from "@tenon/hcl/syntax";
import {
  checkName,
  checkRepetition,
  contentOf,
  EscapedArguments,
  partialContentOf,
  readReferences,
  reportDependsOnOverride,
  reportDuplicate,
  reportReservedBlock,
  withoutRequired,
  type Repetition,
} from "./block-content.ts";
import { moduleCallSchema } from "./module-call-schema.ts";
import { readPassedProviders, type PassedProvider } from "./provider-reference.ts";
import type { Report } from "./report.ts";

/** A `module` block: a call of another module. */
export interface ModuleCall extends Repetition {
  readonly name: string;
  /** Absent if the block has no `source`. This is reported as an error, except in override files. */
  readonly source?: Expression;
  readonly version?: Attribute;
  /** The values of the called module's variables. */
  readonly config: Body;
  readonly providers: readonly PassedProvider[];
  /** Absent if the block has no `depends_on`. */
  readonly dependsOn?: readonly Traversal[];
  readonly range: SourceRange;
}

const lifecycleSchema: BodySchema = { attributes: [{ name: "enabled" }] };

/** Reads a `module` block. @see OpenTofu configs, decodeModuleBlock */
export function readModuleCall(block: Block, isOverride: boolean, report: Report): ModuleCall {
  const { content, remain } = partialContentOf(block.body, isOverride ? withoutRequired(moduleCallSchema) : moduleCallSchema, report);
  const { attributes } = content;
  checkName(block, 0, "Invalid module instance name", report);
  const [source, count, forEach] = ["source", "count", "for_each"].map((name) => attributes.get(name)?.expression);
  const version = attributes.get("version");
  const dependsOnAttribute = attributes.get("depends_on");
  const dependsOn = dependsOnAttribute && readReferences(dependsOnAttribute, report);
  const providersAttribute = attributes.get("providers");
  const providers = providersAttribute === undefined ? [] : readPassedProviders(providersAttribute, report);

  let config = remain;
  let lifecycle: Block | undefined;
  let enabled: Attribute | undefined;
  const escaped = new EscapedArguments("module input variables", "module");
  for (const nested of content.blocks) {
    if (nested.type === "_") config = escaped.add(config, nested, report);
    else if (nested.type !== "lifecycle") reportReservedBlock(nested, "module", report);
    else if (lifecycle !== undefined) reportDuplicate("lifecycle", "This resource", lifecycle, nested, report);
    else {
      lifecycle = nested;
      enabled = contentOf(nested.body, lifecycleSchema, report).attributes.get("enabled");
    }
  }
  checkRepetition(
    { count: attributes.get("count")?.nameRange, forEach: attributes.get("for_each")?.nameRange, enabled: enabled?.nameRange },
    "Only one should be used to be explicit about the number of module instances to be created.",
    report,
  );
  return {
    name: block.labels[0]!,
    ...(source && { source }),
    ...(version && { version }),
    config,
    ...(count && { count }),
    ...(forEach && { forEach }),
    ...(enabled && { enabled: enabled.expression }),
    providers,
    ...(dependsOn && dependsOn.length > 0 && { dependsOn }),
    range: block.declarationRange,
  };
}

/** Returns the call with the changes of an override file. @see OpenTofu configs, ModuleCall.merge */
export function overrideModuleCall(base: ModuleCall, override: ModuleCall, report: Report): ModuleCall {
  reportDependsOnOverride(override.dependsOn ?? [], report);
  return {
    ...base,
    ...(override.source && { source: override.source }),
    ...(override.count && { count: override.count }),
    ...(override.forEach && { forEach: override.forEach }),
    ...(override.version && { version: override.version }),
    config: overrideBody(base.config, override.config),
    ...(override.providers.length > 0 && { providers: override.providers }),
  };
}
