// SPDX-License-Identifier: Apache-2.0
import { attributeStep, CtyError, indexStep, string, type Path, type Value } from "@tenon/cty";
import { convert } from "@tenon/cty/convert";
import { compareCodePoints } from "@tenon/cty/unstable/payload";
import type { Body, Expression } from "@tenon/hcl";
import type { Traversal } from "@tenon/hcl/syntax";
import type { Block } from "@tenon/schema";
import { formatModuleInstance, modulePathOf, type ModuleInstance } from "../address/module.ts";
import type { ProviderAddress } from "../address/provider.ts";
import { formatReference, type Reference } from "../address/reference.ts";
import { formatResourceInstance, type Resource, type ResourceInstance } from "../address/resource.ts";
import type { PlannedChanges, RelevantAttribute } from "../change/planned-changes.ts";
import { descendant, type Configuration } from "../configuration/configuration.ts";
import { resourceBlock, type Module } from "../configuration/module.ts";
import type { ResourceBlock } from "../configuration/resource.ts";
import { decoderSpec } from "../evaluation/decoder-spec.ts";
import { referencesOf, referencesOfBody } from "../evaluation/references.ts";
import type { ModuleOutput } from "./plan-outputs.ts";

/** Finds the schema of a resource type. */
export type ResourceSchemas = (provider: ProviderAddress, resource: Resource) => { readonly block: Block } | undefined;

/** A reference, and where it is written. */
interface LocatedReference {
  readonly module: ModuleInstance;
  /** The resource instance whose block has a reference to `count` or `each`. */
  readonly instance?: ResourceInstance;
  readonly reference: Reference;
}

/**
 * The attributes of resources that the changed resources and outputs refer to, directly or through other objects. As in OpenTofu this is an
 * approximation, because it follows the references in the text of the configuration and evaluates nothing.
 *
 * @see OpenTofu context_plan.go, relevantResourceAttrsForPlan, and lang/globalref
 */
export function relevantAttributes(
  {
    resources,
    outputs,
    moduleOutputs,
  }: Pick<PlannedChanges, "resources" | "outputs"> & { readonly moduleOutputs: readonly ModuleOutput[] },
  configuration: Configuration,
  schemas: ResourceSchemas,
): readonly RelevantAttribute[] {
  const finder = new ReferenceFinder(configuration, schemas);
  const changed = resources.filter(({ action }) => action !== "noOp").flatMap(({ address }) => finder.ofInstance(address.instance));
  const values = outputs
    .filter(({ action }) => action !== "noOp")
    .flatMap(({ name }) => finder.ofExpression([], configuration.module.outputs.get(name)?.expression));
  const ofModules = moduleOutputs.flatMap(({ module, name }) => finder.ofOutput(module, name));
  return finder
    .contributing([...changed, ...values, ...ofModules])
    .map(({ module, reference }) => ({ resource: instanceOf(module, reference)!, attribute: pathOf(reference.remaining) }))
    .sort((a, b) => compareCodePoints(sortKey(a), sortKey(b)));
}

function sortKey({ resource, attribute }: RelevantAttribute): string {
  const steps = attribute.map((step) => (step.kind === "attribute" ? step.name : step.key.payload));
  return `${formatResourceInstance(resource)}\0${JSON.stringify(steps)}`;
}

function instanceOf(module: ModuleInstance, { subject }: Reference): ResourceInstance | undefined {
  if (subject.kind === "resource") return { module, resource: subject.resource };
  if (subject.kind !== "resourceInstance") return undefined;
  return { module, resource: subject.resource, ...(subject.key !== undefined && { key: subject.key }) };
}

function pathOf(steps: Traversal): Path {
  return steps.map((step) => (step.kind === "index" ? indexStep(step.key) : attributeStep(step.kind === "splat" ? "*" : step.name)));
}

/** Finds the references of the objects of a configuration. */
class ReferenceFinder {
  readonly #configuration: Configuration;
  readonly #schemas: ResourceSchemas;

  constructor(configuration: Configuration, schemas: ResourceSchemas) {
    this.#configuration = configuration;
    this.#schemas = schemas;
  }

  /** All references to resources that the given references lead to, each once. */
  contributing(references: readonly LocatedReference[]): readonly LocatedReference[] {
    const visited = new Map<string, LocatedReference>();
    const waiting = [...references];
    for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
      const key = keyOf(next);
      if (visited.has(key)) continue;
      visited.set(key, next);
      waiting.push(...this.#ofReference(next));
    }
    return [...visited.values()].filter(({ reference: { subject } }) => subject.kind === "resource" || subject.kind === "resourceInstance");
  }

  /** The references in the block of a resource instance, or in the part of it that steps lead to. */
  ofInstance(instance: ResourceInstance, steps: Traversal = []): readonly LocatedReference[] {
    const module = this.#module(instance.module);
    const block = module && resourceBlock(module, instance.resource);
    const schema = block?.provider && this.#schemas(block.provider, instance.resource);
    if (block === undefined || schema === undefined) return [];
    return partReferences(block, schema.block, steps).map((reference) => located(instance.module, reference, instance));
  }

  ofExpression(module: ModuleInstance, expression: Expression | undefined): readonly LocatedReference[] {
    if (expression === undefined) return [];
    return referencesOf(expression).references.map(({ reference }) => located(module, reference));
  }

  /** The references of the object that a reference names. */
  #ofReference({ module, instance, reference }: LocatedReference): readonly LocatedReference[] {
    const { subject, remaining } = reference;
    const own = this.#module(module);
    switch (subject.kind) {
      case "variable":
        return this.#ofVariable(module, subject.name);
      case "local":
        return this.ofExpression(module, own?.locals.get(subject.name)?.expression);
      case "moduleOutput":
        return this.#ofOutputs(module, subject.call, subject.key, subject.name);
      case "moduleCall":
        return this.#ofOutputs(module, subject.name, undefined);
      case "moduleCallInstance":
        return this.#ofOutputs(module, subject.name, subject.key);
      case "count":
      case "each": {
        const block = own && instance && resourceBlock(own, instance.resource);
        return this.ofExpression(module, block?.forEach ?? block?.count);
      }
      case "resource":
      case "resourceInstance":
        return this.ofInstance(instanceOf(module, reference)!, remaining);
      default:
        return [];
    }
  }

  /** The references in the argument that a module call gives to a variable. */
  #ofVariable(module: ModuleInstance, name: string): readonly LocatedReference[] {
    const last = module.at(-1);
    if (last === undefined) return [];
    const caller = module.slice(0, -1);
    const body = this.#module(caller)?.calls.get(last.name)?.config;
    const attribute = body?.partialContent({ attributes: [{ name }] }).content.attributes.get(name);
    return this.ofExpression(caller, attribute?.expression);
  }

  /** The references of one output of a called module, or of all its outputs. */
  #ofOutputs(caller: ModuleInstance, name: string, key: string | number | undefined, output?: string): readonly LocatedReference[] {
    const module: ModuleInstance = [...caller, { name, ...(key !== undefined && { key }) }];
    const names = output === undefined ? [...(this.#module(module)?.outputs.keys() ?? [])] : [output];
    return names.flatMap((one) => this.ofOutput(module, one));
  }

  /** The references of an output of a module instance. */
  ofOutput(module: ModuleInstance, name: string): readonly LocatedReference[] {
    return this.ofExpression(module, this.#module(module)?.outputs.get(name)?.expression);
  }

  #module(instance: ModuleInstance): Module | undefined {
    return descendant(this.#configuration, modulePathOf(instance))?.module;
  }
}

function located(module: ModuleInstance, reference: Reference, instance?: ResourceInstance): LocatedReference {
  const { kind } = reference.subject;
  return { module, reference, ...((kind === "count" || kind === "each") && instance && { instance }) };
}

function keyOf({ module, instance, reference }: LocatedReference): string {
  const location = instance === undefined ? formatModuleInstance(module) : formatResourceInstance(instance);
  return `${location} ${reference.subject.kind} ${formatReference(reference)}`;
}

/**
 * The references in the part of a resource's block that steps lead to. Steps are followed through single nested blocks to an attribute. As in
 * OpenTofu, a step that selects one of several nested blocks of a type finds nothing, and a step to all blocks of such a type finds the
 * references of the whole block.
 */
function partReferences({ config }: ResourceBlock, schema: Block, steps: Traversal): readonly Reference[] {
  let bodies: readonly Body[] = [config];
  let at = schema;
  const expressions: Expression[] = [];
  const found = (): readonly Reference[] => expressions.flatMap((one) => referencesOf(one).references.map(({ reference }) => reference));
  for (const step of steps) {
    if (bodies.length === 0) return [];
    const name = step.kind === "attribute" ? step.name : step.kind === "index" ? keyText(step.key) : undefined;
    if (name === undefined) return [];
    if (at.attributes[name] !== undefined) {
      for (const body of bodies) {
        const attribute = body.partialContent({ attributes: [{ name }] }).content.attributes.get(name);
        if (attribute !== undefined) expressions.push(attribute.expression);
      }
      return found();
    }
    const nested = at.blocks[name];
    if (nested === undefined) return found();
    if (nested.nesting !== "single" && nested.nesting !== "group") continue;
    const parts = bodies.map((body) => blocksNamed(body, name));
    bodies = parts.flatMap((part) => part.bodies);
    expressions.push(...parts.flatMap((part) => part.expressions));
    at = nested.block;
  }
  const spec = decoderSpec(at);
  return [...found(), ...bodies.flatMap((body) => referencesOfBody(body, spec).references.map(({ reference }) => reference))];
}

/** The bodies of the blocks of a type, including those in `dynamic` blocks, and the `for_each` and `labels` expressions of the latter. */
function blocksNamed(body: Body, type: string): { readonly bodies: readonly Body[]; readonly expressions: readonly Expression[] } {
  const bodies: Body[] = [];
  const expressions: Expression[] = [];
  const { content } = body.partialContent({ blocks: [{ type }, { type: "dynamic", labelNames: ["type"] }] });
  for (const block of content.blocks) {
    if (block.type === type) bodies.push(block.body);
    else if (block.labels[0] === type) {
      const schema = { attributes: [{ name: "for_each" }, { name: "labels" }], blocks: [{ type: "content" }] };
      const dynamic = block.body.partialContent(schema).content;
      for (const { expression } of dynamic.attributes.values()) expressions.push(expression);
      bodies.push(...dynamic.blocks.map((one) => one.body));
    }
  }
  return { bodies, expressions };
}

function keyText(key: Value): string | undefined {
  try {
    const { payload } = convert(key, string);
    return typeof payload === "string" ? payload : undefined;
  } catch (error) {
    if (error instanceof CtyError) return undefined;
    throw error;
  }
}
