// SPDX-License-Identifier: Apache-2.0
import { goQuote, isNumberPayload, numberText } from "@tenon/cty/unstable/payload";
import type { SourceRange, Traversal } from "@tenon/hcl";
import { rangeBetween, traversalRange } from "@tenon/hcl/syntax";
import { addressError, addressOf, parseAddressText, type ParsedAddress } from "./address-diagnostic.ts";
import { formatInstanceKey, instanceKeyOf, type InstanceKey } from "./instance-key.ts";
import { formatResource, type Resource, type ResourceMode } from "./resource.ts";

/** The object that a reference in an expression names. */
export type ReferenceSubject =
  | { readonly kind: "variable"; readonly name: string }
  | { readonly kind: "local"; readonly name: string }
  | { readonly kind: "path"; readonly name: string }
  | { readonly kind: "count"; readonly name: string }
  | { readonly kind: "each"; readonly name: string }
  | { readonly kind: "self" }
  /** `terraform.name` or `tofu.name`. */
  | { readonly kind: "terraform"; readonly alias: "terraform" | "tofu"; readonly name: string }
  /** The whole resource: one object, or a collection if its block has `count` or `for_each`. */
  | { readonly kind: "resource"; readonly resource: Resource }
  /** A resource instance. Without a key, `remaining` may also be an attribute of the collection of all instances. */
  | { readonly kind: "resourceInstance"; readonly resource: Resource; readonly key?: InstanceKey }
  /** A module call: one object, or a collection if the call has `count` or `for_each`. */
  | { readonly kind: "moduleCall"; readonly name: string }
  | { readonly kind: "moduleCallInstance"; readonly name: string; readonly key: InstanceKey }
  | { readonly kind: "moduleOutput"; readonly call: string; readonly key?: InstanceKey; readonly name: string }
  | { readonly kind: "providerFunction"; readonly provider: string; readonly alias?: string; readonly name: string }
  /** Only in test files. */
  | { readonly kind: "output"; readonly name: string }
  /** Only in test files. */
  | { readonly kind: "check"; readonly name: string };

/** A reference of an expression: its subject, and the steps into the subject. */
export interface Reference {
  readonly subject: ReferenceSubject;
  /** The range of the subject, without {@link remaining}. */
  readonly range: SourceRange;
  /** The attributes and indices after the subject. */
  readonly remaining: Traversal;
}

/** Formats the subject of a reference: `var.a`, `test.b[0]`, `module.c.d`. */
export function formatReferenceSubject(subject: ReferenceSubject): string {
  switch (subject.kind) {
    case "variable":
      return `var.${subject.name}`;
    case "self":
      return "self";
    case "terraform":
      return `${subject.alias}.${subject.name}`;
    case "resource":
      return formatResource(subject.resource);
    case "resourceInstance":
      return formatResource(subject.resource) + formatInstanceKey(subject.key);
    case "moduleCall":
      return `module.${subject.name}`;
    case "moduleCallInstance":
      return `module.${subject.name}${formatInstanceKey(subject.key)}`;
    case "moduleOutput":
      return `module.${subject.call}${formatInstanceKey(subject.key)}.${subject.name}`;
    case "providerFunction":
      return ["provider", subject.provider, ...(subject.alias === undefined ? [] : [subject.alias]), subject.name].join("::");
    default:
      return `${subject.kind}.${subject.name}`;
  }
}

/** Formats a reference with its remaining steps, as in OpenTofu's diagnostics. @see OpenTofu addrs.Reference.DisplayString */
export function formatReference({ subject, remaining }: Reference): string {
  return formatReferenceSubject(subject) + formatSteps(remaining);
}

/** Formats a traversal, as in OpenTofu's diagnostics. Keys that are neither strings nor numbers become `...`. @see OpenTofu addrs.TraversalStr */
export function formatSteps(traversal: Traversal): string {
  let text = "";
  for (const step of traversal) {
    if (step.kind === "root") text += step.name;
    else if (step.kind === "attribute") text += `.${step.name}`;
    else if (step.kind === "index") text += `[${stepKey(step.key.payload)}]`;
  }
  return text;
}

function stepKey(payload: unknown): string {
  if (typeof payload === "string") return goQuote(payload);
  return isNumberPayload(payload as never) ? numberText(payload as never) : "...";
}

/**
 * Reads the traversal of an expression as a reference.
 *
 * @see OpenTofu addrs.ParseRef
 */
export function referenceOf(traversal: Traversal): ParsedAddress<Reference> {
  const root = traversal[0];
  if (root?.kind !== "root") throw new RangeError("a reference must start with a name");
  switch (root.name) {
    case "var":
      return attributeReference(traversal, (name) => ({ kind: "variable", name }));
    case "local":
    case "path":
    case "count":
    case "each": {
      const kind = root.name;
      return attributeReference(traversal, (name) => ({ kind, name }));
    }
    case "terraform":
    case "tofu": {
      const alias = root.name;
      return attributeReference(traversal, (name) => ({ kind: "terraform", alias, name }));
    }
    case "self":
      return addressOf({ subject: { kind: "self" }, range: root.range, remaining: traversal.slice(1) });
    case "module":
      return moduleReference(traversal);
    case "data":
    case "ephemeral":
    case "resource":
      if (traversal.length < 3) {
        return addressError(
          "Invalid reference",
          `The "${root.name}" object must be followed by two attribute names: ${namesOf[root.name]}.`,
          traversalRange(traversal),
        );
      }
      return resourceReference(root.name === "resource" ? "managed" : root.name, root.range, traversal.slice(1));
    case "template":
    case "lazy":
    case "arg":
      return addressError(
        "Reserved symbol name",
        `The symbol name "${root.name}" is reserved for use in a future OpenTofu version. If you are using a provider that already uses this as a resource type name, add the prefix "resource." to force interpretation as a resource type name.`,
        root.range,
      );
    default:
      if (root.name.startsWith("provider::")) return providerFunctionReference(root.name, root.range);
      return resourceReference("managed", root.range, traversal);
  }
}

/** As {@link referenceOf}, for test files, which may also refer to `output` and `check`. @see OpenTofu addrs.ParseRefFromTestingScope */
export function testReferenceOf(traversal: Traversal): ParsedAddress<Reference> {
  const root = traversal[0];
  if (root?.kind === "root" && (root.name === "output" || root.name === "check")) {
    const kind = root.name;
    return attributeReference(traversal, (name) => ({ kind, name }));
  }
  return referenceOf(traversal);
}

/** Reads the text of a reference. Ranges have an empty file name. */
export function parseReference(text: string): ParsedAddress<Reference> {
  return parseAddressText(text, referenceOf);
}

const namesOf = {
  data: "the data source type and the resource name",
  ephemeral: "the ephemeral resource type and its name",
  resource: "the resource type and the resource name",
} as const;

const nounOf: Readonly<Record<ResourceMode, string>> = {
  managed: "a resource type",
  data: "a data source",
  ephemeral: "an ephemeral resource",
};

function attributeReference(traversal: Traversal, subjectOf: (name: string) => ReferenceSubject): ParsedAddress<Reference> {
  const [root, step, ...remaining] = traversal;
  if (root?.kind !== "root") throw new RangeError("a reference must start with a name");
  if (step === undefined) {
    const detail = `The "${root.name}" object cannot be accessed directly. Instead, access one of its attributes.`;
    return addressError("Invalid reference", detail, root.range);
  }
  if (step.kind !== "attribute") {
    return addressError("Invalid reference", `The "${root.name}" object does not support this operation.`, step.range);
  }
  return addressOf({ subject: subjectOf(step.name), range: rangeBetween(root.range, step.range), remaining });
}

function resourceReference(mode: ResourceMode, start: SourceRange, traversal: Traversal): ParsedAddress<Reference> {
  const [type, name, index, ...rest] = traversal;
  if (type === undefined || name === undefined) {
    const detail = "A reference to a resource type must be followed by at least one attribute access, specifying the resource name.";
    return addressError("Invalid reference", detail, traversalRange(traversal));
  }
  if (type.kind !== "root" && type.kind !== "attribute") {
    return addressError("Invalid reference", 'The "data" object does not support this operation.', type.range);
  }
  if (name.kind !== "attribute") {
    const detail = `A reference to ${nounOf[mode]} must be followed by at least one attribute access, specifying the resource name.`;
    return addressError("Invalid reference", detail, name.range);
  }
  const resource: Resource = { mode, type: type.name, name: name.name };
  const range = rangeBetween(start, name.range);
  if (index === undefined) return addressOf({ subject: { kind: "resource", resource }, range, remaining: [] });
  if (index.kind !== "index") return addressOf({ subject: { kind: "resourceInstance", resource }, range, remaining: [index, ...rest] });
  const { key, reason } = instanceKeyOf(index.key);
  if (key === undefined) return addressError("Invalid index key", `Invalid index for resource instance: ${reason}.`, index.range);
  return addressOf({ subject: { kind: "resourceInstance", resource, key }, range: rangeBetween(range, index.range), remaining: rest });
}

function moduleReference(traversal: Traversal): ParsedAddress<Reference> {
  const parsed = attributeReference(traversal, (name) => ({ kind: "moduleCall", name }));
  const { address } = parsed;
  if (address?.subject.kind !== "moduleCall") return parsed;
  const { name: call } = address.subject;
  const [first, ...rest] = address.remaining;
  if (first === undefined) return parsed;
  if (first.kind !== "index") return moduleOutput(call, undefined, address.range, first, rest);
  const { key, reason } = instanceKeyOf(first.key);
  if (key === undefined) return addressError("Invalid index key", `Invalid index for module instance: ${reason}.`, first.range);
  const [output, ...remaining] = rest;
  if (output === undefined) {
    const range = rangeBetween(address.range, first.range);
    return addressOf({ subject: { kind: "moduleCallInstance", name: call, key }, range, remaining: [] });
  }
  return moduleOutput(call, key, address.range, output, remaining);
}

function moduleOutput(
  call: string,
  key: InstanceKey,
  callRange: SourceRange,
  output: Traversal[number],
  remaining: Traversal,
): ParsedAddress<Reference> {
  if (output.kind !== "attribute") {
    return addressError("Invalid reference", "Module instance objects do not support this operation.", output.range);
  }
  const subject: ReferenceSubject = { kind: "moduleOutput", call, ...(key !== undefined && { key }), name: output.name };
  return addressOf({ subject, range: rangeBetween(callRange, output.range), remaining });
}

function providerFunctionReference(text: string, range: SourceRange): ParsedAddress<Reference> {
  const [, provider = "", second = "", third, ...rest] = text.split("::");
  if (text.split("::").length < 3 || rest.length > 0) {
    const detail = `invalid provider function ${goQuote(text)}: expected provider::<name>::<function> or provider::<name>::<alias>::<function>`;
    return addressError("Unable to parse provider function", detail, range);
  }
  const subject: ReferenceSubject =
    third === undefined
      ? { kind: "providerFunction", provider, name: second }
      : { kind: "providerFunction", provider, alias: second, name: third };
  return addressOf({ subject, range, remaining: [] });
}
