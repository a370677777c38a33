// SPDX-License-Identifier: Apache-2.0
// Reads `resource`, `data` and `ephemeral` blocks.
import type { Body, Expression } from "@tenon/hcl";
import type { Attribute, Block, BodyContent, BodySchema } from "@tenon/hcl/body";
import type { Resource, ResourceMode } from "../address/resource.ts";
import {
  attributesNamed,
  checkName,
  checkRepetition,
  contentOf,
  EscapedArguments,
  partialContentOf,
  readReferences,
  reportDuplicate,
  reportReservedBlock,
} from "./block-content.ts";
import { checkSelfReferences, readCheckRule, type CheckRule } from "./check-rule.ts";
import { lifecycleSchema, readIgnoreChanges, readReplaceTriggers } from "./lifecycle.ts";
import { readBool } from "./literal.ts";
import { readProviderReference } from "./provider-reference.ts";
import { checkOnlySelfReferences, readProvisioner, type Provisioner } from "./provisioner.ts";
import { reportError, type Report } from "./report.ts";
import type { ManagedArguments, ResourceBlock } from "./resource.ts";

const attributes = attributesNamed("count", "for_each", "provider", "depends_on");
const managedSchema: BodySchema = {
  attributes,
  blocks: [{ type: "locals" }, { type: "lifecycle" }, { type: "connection" }, { type: "provisioner", labelNames: ["type"] }, { type: "_" }],
};
const dataSchema: BodySchema = { attributes, blocks: [{ type: "lifecycle" }, { type: "locals" }, { type: "_" }] };

// The schema of ephemeral resources has `connection` and `provisioner`, because these blocks have errors of their own there.
const schemas: Readonly<Record<ResourceMode, BodySchema>> = { managed: managedSchema, data: dataSchema, ephemeral: managedSchema };

/** The nouns and summaries of the errors about each kind of block. */
const words: Readonly<
  Record<ResourceMode, { readonly type: string; readonly name: string; readonly number: string; readonly owner: string }>
> = {
  managed: {
    type: "Invalid resource type name",
    name: "Invalid resource name",
    number: "resources",
    owner: "This resource",
  },
  data: {
    type: "Invalid data source name",
    name: "Invalid data resource name",
    number: "data sources",
    owner: "This resource",
  },
  ephemeral: {
    type: "Invalid ephemeral resource type name",
    name: "Invalid ephemeral resource name",
    number: "ephemeral resources",
    owner: "This ephemeral resource",
  },
};

/** The state of reading a block of any of the three kinds. */
interface Reading {
  readonly block: Block;
  readonly address: Resource;
  readonly content: BodyContent;
  readonly isOverride: boolean;
  /** Whether it is a data source in a `check` block. */
  readonly isNested: boolean;
  readonly report: Report;
  readonly preconditions: CheckRule[];
  readonly postconditions: CheckRule[];
  enabled?: Attribute;
}

/** The arguments of a resource's type in a body that also has meta-arguments, such as `provider`. */
export function generatedBody(body: Body): Body {
  return body.partialContent(managedSchema).remain;
}

/** Reads a `resource` block. @see OpenTofu configs, decodeResourceBlock */
export function readManagedResource(block: Block, isOverride: boolean, report: Report): ResourceBlock {
  const { reading, remain, common } = readCommon(block, "managed", isOverride, report);
  let config = remain;
  let lifecycle: Block | undefined;
  let connection: Block | undefined;
  let lifecycleArguments: LifecycleArguments = { ignoreChanges: { all: false, paths: [] }, replaceTriggers: [] };
  const provisioners: Provisioner[] = [];
  const escaped = new EscapedArguments("resource-type-specific", "resource");
  for (const nested of reading.content.blocks) {
    switch (nested.type) {
      case "lifecycle":
        if (lifecycle !== undefined) reportDuplicate("lifecycle", words.managed.owner, lifecycle, nested, report);
        else {
          lifecycle = nested;
          lifecycleArguments = readManagedLifecycle(nested, reading);
        }
        break;
      case "connection":
        if (connection === undefined) connection = nested;
        else reportDuplicate("connection", words.managed.owner, connection, nested, report);
        break;
      case "provisioner": {
        const provisioner = readProvisioner(nested, report);
        if (provisioner !== undefined) provisioners.push(provisioner);
        break;
      }
      case "_":
        config = escaped.add(config, nested, report);
        break;
      default:
        reportReservedBlock(nested, "resource", report);
    }
  }
  checkInstances(reading, "managed");
  if (connection !== undefined && provisioners.some(({ when }) => when === "destroy")) checkOnlySelfReferences(connection.body, report);
  return {
    ...resourceBlockOf(reading, common, config),
    managed: {
      ...(connection && { connection: { config: connection.body, range: connection.declarationRange } }),
      provisioners,
      ...lifecycleArguments,
    },
  };
}

/** Reads a `data` block. A data source in a `check` block supports fewer meta-arguments. @see OpenTofu configs, decodeDataBlock */
export function readDataResource(block: Block, isOverride: boolean, report: Report, check?: string): ResourceBlock {
  const { reading, remain, common } = readCommon(block, "data", isOverride, report, check !== undefined);
  let config = remain;
  let lifecycle: Block | undefined;
  const escaped = new EscapedArguments("resource-type-specific", "data");
  for (const nested of reading.content.blocks) {
    if (nested.type === "_") config = escaped.add(config, nested, report);
    else if (nested.type !== "lifecycle") reportReservedBlock(nested, "data", report);
    else {
      if (check !== undefined) {
        const detail = 'Nested data blocks do not support "lifecycle" blocks as the lifecycle is managed by the containing block.';
        reportError(report, "Invalid lifecycle block", detail, nested.declarationRange);
      }
      if (lifecycle === undefined) {
        lifecycle = nested;
        const lifecycleContent = readLifecycle(nested, reading);
        for (const attribute of lifecycleContent.attributes.values()) {
          if (attribute.name === "enabled") continue;
          const detail = `The lifecycle argument "${attribute.name}" is defined only for managed resources ("resource" blocks), and is not valid for data resources.`;
          reportError(report, "Invalid data resource lifecycle argument", detail, attribute.nameRange);
        }
        readConditions(lifecycleContent, reading);
      } else reportDuplicate("lifecycle", words.data.owner, lifecycle, nested, report);
    }
  }
  checkInstances(reading, "data");
  return { ...resourceBlockOf(reading, common, config), ...(check !== undefined && { check }) };
}

/** Reads an `ephemeral` block. @see OpenTofu configs, decodeEphemeralBlock */
export function readEphemeralResource(block: Block, isOverride: boolean, report: Report): ResourceBlock {
  const { reading, remain, common } = readCommon(block, "ephemeral", isOverride, report);
  let config = remain;
  let lifecycle: Block | undefined;
  const escaped = new EscapedArguments("resource-type-specific", "resource");
  for (const nested of reading.content.blocks) {
    switch (nested.type) {
      case "lifecycle":
        if (lifecycle !== undefined) reportDuplicate("lifecycle", words.ephemeral.owner, lifecycle, nested, report);
        else {
          lifecycle = nested;
          readEphemeralLifecycle(nested, reading);
        }
        break;
      case "connection":
      case "provisioner": {
        const detail = `The block type "${nested.type}" cannot be used in ephemeral resources. This is meant to be used strictly in "resource" blocks.`;
        reportError(report, "Invalid configuration block for ephemeral resource", detail, nested.declarationRange);
        break;
      }
      case "_":
        config = escaped.add(config, nested, report);
        break;
      default:
        reportReservedBlock(nested, "ephemeral", report);
    }
  }
  checkInstances(reading, "ephemeral");
  return resourceBlockOf(reading, common, config);
}

type Common = Pick<ResourceBlock, "address" | "range" | "typeRange" | "dependsOn" | "count" | "forEach" | "providerReference">;

/** Reads the part of a block that all kinds have in common. */
function readCommon(
  block: Block,
  mode: ResourceMode,
  isOverride: boolean,
  report: Report,
  isNested = false,
): { readonly reading: Reading; readonly remain: Body; readonly common: Common } {
  const { content, remain } = partialContentOf(block.body, schemas[mode], report);
  const address: Resource = { mode, type: block.labels[0]!, name: block.labels[1]! };
  checkName(block, 0, words[mode].type, report);
  checkName(block, 1, words[mode].name, report);
  const repetition = (name: "count" | "for_each"): Expression | undefined => {
    const attribute = content.attributes.get(name);
    if (!isNested || attribute === undefined) return attribute?.expression;
    const detail = `The "${name}" meta-argument is not supported within nested data blocks.`;
    reportError(report, `Invalid "${name}" attribute`, detail, attribute.nameRange);
    return undefined;
  };
  const count = repetition("count");
  const forEach = repetition("for_each");
  const provider = content.attributes.get("provider");
  const providerReference = provider && readProviderReference(provider.expression, "provider", report);
  const dependsOn = content.attributes.get("depends_on");
  return {
    reading: { block, address, content, isOverride, isNested, report, preconditions: [], postconditions: [] },
    remain,
    common: {
      address,
      ...(count && { count }),
      ...(forEach && { forEach }),
      ...(providerReference && { providerReference }),
      dependsOn: readReferences(dependsOn, report),
      range: block.declarationRange,
      typeRange: block.labelRanges[0]!,
    },
  };
}

function resourceBlockOf({ preconditions, postconditions, enabled }: Reading, common: Common, config: Body): ResourceBlock {
  return { ...common, ...(enabled && { enabled: enabled.expression }), config, preconditions, postconditions };
}

/** Adds an error if more than one meta-argument sets the number of instances. */
function checkInstances({ content, enabled, isNested, report }: Reading, mode: ResourceMode): void {
  checkRepetition(
    {
      count: isNested ? undefined : content.attributes.get("count")?.nameRange,
      forEach: isNested ? undefined : content.attributes.get("for_each")?.nameRange,
      enabled: enabled?.nameRange,
    },
    `Only one may be used to be explicit about the number of ${words[mode].number} to be created.`,
    report,
  );
}

/** Reads the part of a lifecycle block that all resource modes have in common. */
function readLifecycle(block: Block, reading: Reading): BodyContent {
  const content = contentOf(block.body, lifecycleSchema, reading.report);
  const enabled = content.attributes.get("enabled");
  if (enabled !== undefined) reading.enabled = enabled;
  return content;
}

function readConditions({ blocks }: BodyContent, { address, isOverride, report, preconditions, postconditions }: Reading): void {
  for (const nested of blocks) {
    const rule = readCheckRule(nested, isOverride, report);
    checkSelfReferences(rule, nested.type, address, report);
    (nested.type === "precondition" ? preconditions : postconditions).push(rule);
  }
}

type LifecycleArguments = Omit<ManagedArguments, "connection" | "provisioners">;

function readManagedLifecycle(block: Block, reading: Reading): LifecycleArguments {
  const { report } = reading;
  const content = readLifecycle(block, reading);
  const expressionOf = (name: string): Expression | undefined => content.attributes.get(name)?.expression;
  const createBeforeDestroy = expressionOf("create_before_destroy");
  const createsFirst = createBeforeDestroy && (readBool(createBeforeDestroy, report) ?? false);
  const preventDestroy = expressionOf("prevent_destroy");
  const destroy = expressionOf("destroy");
  const triggers = expressionOf("replace_triggered_by");
  const replaceTriggers = triggers === undefined ? [] : readReplaceTriggers(triggers, report);
  const ignored = expressionOf("ignore_changes");
  const ignoreChanges = ignored === undefined ? { all: false, paths: [] } : readIgnoreChanges(ignored, report);
  readConditions(content, reading);
  return {
    ...(createsFirst !== undefined && { createBeforeDestroy: createsFirst }),
    ...(preventDestroy && { preventDestroy }),
    ...(destroy && { destroy }),
    ignoreChanges,
    replaceTriggers,
  };
}

function readEphemeralLifecycle(block: Block, reading: Reading): void {
  const content = readLifecycle(block, reading);
  for (const name of ["create_before_destroy", "destroy", "prevent_destroy", "replace_triggered_by", "ignore_changes"]) {
    if (!content.attributes.has(name)) continue;
    const detail = `The lifecycle argument "${name}" cannot be used in ephemeral resources. This is meant to be used strictly in "resource" blocks.`;
    reportError(reading.report, "Invalid lifecycle configuration for ephemeral resource", detail, block.declarationRange);
  }
  readConditions(content, reading);
}
