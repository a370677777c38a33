// SPDX-License-Identifier: Apache-2.0
import { compareCodePoints, goQuote } from "@tenon/cty/unstable/payload";
import type { Diagnostic, Expression } from "@tenon/hcl";
import { formatModulePath } from "../address/module.ts";
import type { Block } from "@tenon/schema";
import { formatProvider } from "../address/provider.ts";
import type { Reference } from "../address/reference.ts";
import { formatResource, type Resource, type ResourceMode } from "../address/resource.ts";
import type { Configuration } from "../configuration/configuration.ts";
import { resourceBlock } from "../configuration/module.ts";
import type { ResourceBlock } from "../configuration/resource.ts";
import { didYouMean, nearestName, similarName } from "@tenon/hcl/report";
import { referencesOf, type References } from "./references.ts";
import { validateTraversal } from "./traversal-validation.ts";

/** The place of a reference that is validated. */
export interface ReferencePlace {
  readonly configuration: Configuration;
  /** Name of the `check` block that contains the reference. */
  readonly check?: string | undefined;
  /** Whether `self` has a value at this place. */
  readonly hasSelf: boolean;
  /** The resource that `self` is an instance of. Absent: attributes of `self` are not validated. */
  readonly selfBlock?: ResourceBlock | undefined;
  /** The schemas of the resources that references may lead to. Absent: attributes of resources are not validated. */
  readonly schemaOf?: ((block: ResourceBlock) => Block | undefined) | undefined;
}

/**
 * The errors of a reference to a resource, a module or `self` that the configuration and the schemas show.
 *
 * @see OpenTofu evaluate_valid.go
 */
export function validateReference(reference: Reference, place: ReferencePlace): readonly Diagnostic[] {
  const { subject } = reference;
  switch (subject.kind) {
    case "resource":
      return [...missingKey(reference, subject.resource, place), ...undeclared(reference, subject.resource, place)];
    case "resourceInstance":
      if (subject.key === undefined)
        return [...missingKey(reference, subject.resource, place), ...undeclared(reference, subject.resource, place)];
      return [...unexpectedKey(reference, subject.resource, place), ...undeclared(reference, subject.resource, place)];
    case "moduleCall":
    case "moduleCallInstance":
      return undeclaredCall(reference, subject.name, place);
    case "moduleOutput":
      return undeclaredCall(reference, subject.call, place);
    case "self":
      if (place.selfBlock !== undefined) return undeclared(reference, place.selfBlock.address, place);
      return place.hasSelf ? [] : error(reference, 'Invalid "self" reference', noSelf);
    default:
      return [];
  }
}

/** The errors of references, by the module of the configuration that contains them. */
const knownErrors = new WeakMap<Configuration, WeakMap<References, readonly Diagnostic[]>>();

/** The errors of the references of an expression or a body, as {@link validateReference} finds them. They are computed once for all instances of a block. */
export function validateReferences(references: References, place: ReferencePlace): readonly Diagnostic[] {
  let ofModule = knownErrors.get(place.configuration);
  if (ofModule === undefined) knownErrors.set(place.configuration, (ofModule = new WeakMap()));
  let errors = ofModule.get(references);
  if (errors === undefined) {
    ofModule.set(references, (errors = references.references.flatMap(({ reference }) => validateReference(reference, place))));
  }
  return errors;
}

/** Errors about references of a local value to itself. @see OpenTofu node_local.go */
export function selfReferences(name: string, expression: Expression): readonly Diagnostic[] {
  return referencesOf(expression).references.flatMap(({ reference: { subject, range } }) => {
    if (subject.kind !== "local" || subject.name !== name) return [];
    const detail = `Local value local.${name} cannot use its own result as part of its expression.`;
    return [{ severity: "error" as const, summary: "Self-referencing local value", detail, subject: range, context: expression.range }];
  });
}

const noSelf =
  'The "self" object is not available in this context. This object can be used only in resource provisioner, connection, and postcondition blocks.';

function error({ range }: Reference, summary: string, detail: string): Diagnostic[] {
  return [{ severity: "error", summary, detail, subject: range }];
}

function missingKey(reference: Reference, resource: Resource, { configuration }: ReferencePlace): Diagnostic[] {
  const block = resourceBlock(configuration.module, resource);
  if (reference.remaining.length === 0 || block === undefined) return [];
  const address = formatResource(resource);
  const needs = (argument: string, example: string): Diagnostic[] => {
    const detail = `Because ${address} has "${argument}" set, its attributes must be accessed on specific instances.\n\nFor example, to correlate with indices of a referring resource, use:\n    ${address}[${example}]`;
    return error(reference, "Missing resource instance key", detail);
  };
  return [...(block.count ? needs("count", "count.index") : []), ...(block.forEach ? needs("for_each", "each.key") : [])];
}

function unexpectedKey(reference: Reference, resource: Resource, { configuration }: ReferencePlace): Diagnostic[] {
  const block = resourceBlock(configuration.module, resource);
  if (block === undefined || block.count || block.forEach) return [];
  const detail = `Because ${formatResource(resource)} does not have "count" or "for_each" set, references to it must not include an index key. Remove the bracketed index to refer to the single instance of this resource.`;
  return error(reference, "Unexpected resource instance key", detail);
}

const blockNames: Readonly<Record<ResourceMode, string>> = { managed: "resource", data: "data", ephemeral: "ephemeral" };

function undeclared(reference: Reference, resource: Resource, { configuration, check, schemaOf }: ReferencePlace): Diagnostic[] {
  const { module, path } = configuration;
  const { mode, type, name } = resource;
  const block = resourceBlock(module, resource);
  if (block === undefined) {
    const others = (["managed", "data", "ephemeral"] as const).filter((other) => other !== mode);
    const candidate = others.map((other) => ({ ...resource, mode: other })).find((other) => resourceBlock(module, other) !== undefined);
    const advice =
      candidate === undefined ? "" : `\n\nDid you mean the ${blockNames[candidate.mode]} resource ${formatResource(candidate)}?`;
    const detail = `There is no ${mode} resource ${goQuote(type)} ${goQuote(name)} definition in ${moduleText(path)}.${advice}`;
    return error(reference, "Reference to undeclared resource", detail);
  }
  const found: Diagnostic[] = [];
  if (block.check !== undefined && block.check !== check) {
    const detail = `The referenced ${mode} resource ${goQuote(type)} ${goQuote(name)} is not available from this context.`;
    found.push(...error(reference, "Reference to scoped resource", detail));
  }
  const schema = schemaOf?.(block);
  if (schemaOf !== undefined && schema === undefined) {
    const provider = block.provider === undefined ? "" : formatProvider(block.provider);
    const detail = `The ${mode} resource type ${goQuote(type)} is not supported by provider ${goQuote(provider)}.`;
    return [...found, ...error(reference, "Invalid resource type", detail)];
  }
  const [first] = reference.remaining;
  if (first?.kind === "attribute" && first.name === "count") {
    const detail = `The special "count" attribute is no longer supported after OpenTofu v0.12. Instead, use length(${formatResource(resource)}) to count resource instances.`;
    return [...found, ...error(reference, "Invalid resource count attribute", detail)];
  }
  return schema === undefined ? found : [...found, ...validateTraversal(reference.remaining, schema)];
}

function undeclaredCall(reference: Reference, name: string, { configuration: { module, path } }: ReferencePlace): Diagnostic[] {
  if (module.calls.has(name)) return [];
  const advice = didYouMean(similarName(name, [...module.calls.keys()].sort(compareCodePoints)));
  const detail = `No module call named ${goQuote(name)} is declared in ${moduleText(path)}.${advice}`;
  return error(reference, "Reference to undeclared module", detail);
}

/**
 * The error about a variable or a local value that is not declared. Unlike the errors of {@link validateReference}, it does not prevent the
 * evaluation of the expression.
 */
export function undeclaredValue({ subject, range }: Reference, { module }: Configuration): Diagnostic | undefined {
  if (subject.kind === "variable" && !module.variables.has(subject.name)) {
    const advice =
      didYouMean(nearestName(subject.name, module.variables.keys())) ||
      ` This variable can be declared with a variable ${goQuote(subject.name)} {} block.`;
    const detail = `An input variable with the name ${goQuote(subject.name)} has not been declared.${advice}`;
    return { severity: "error", summary: "Reference to undeclared input variable", detail, subject: range };
  }
  if (subject.kind === "local" && !module.locals.has(subject.name)) {
    const advice = didYouMean(nearestName(subject.name, module.locals.keys()));
    const detail = `A local value with the name ${goQuote(subject.name)} has not been declared.${advice}`;
    return { severity: "error", summary: "Reference to undeclared local value", detail, subject: range };
  }
  return undefined;
}

/** The name of a module in the errors about references. */
function moduleText(path: Configuration["path"]): string {
  return path.length === 0 ? "the root module" : formatModulePath(path);
}
