// SPDX-License-Identifier: Apache-2.0
import { isWhollyKnown, unmarkDeep } from "@tenon/cty";
import { toTree } from "@tenon/cty/json";
import { hasErrors, type Body, type Expression } from "@tenon/hcl";
import { blocksAsAttributes, impliedSchema } from "@tenon/hcl/decode";
import { evaluate } from "@tenon/hcl/evaluate";
import type { Traversal } from "@tenon/hcl/syntax";
import type { Block } from "@tenon/schema";
import { formatReferenceSubject, formatSteps, type Reference, type ReferenceSubject } from "../address/reference.ts";
import { ambiguousSchema, decoderSpec } from "../evaluation/decoder-spec.ts";
import { referencesOf, referencesOfTraversals } from "../evaluation/references.ts";
import type { JsonTree } from "../state/json-tree.ts";

/** An expression in the form of plan JSON: the value of a constant, or the references. @see OpenTofu jsonconfig, marshalExpression */
export function expressionJson(expression: Expression): Readonly<Record<string, JsonTree>> {
  const { value, diagnostics } = evaluate(expression);
  const isConstant = !hasErrors(diagnostics) && isWhollyKnown(value);
  const { references, providerFunctions } = referencesOf(expression);
  const texts = [...references.map(({ reference }) => reference), ...providerFunctions].flatMap(referenceTexts);
  const [plain] = unmarkDeep(value);
  return { ...(isConstant && { constant_value: toTree(plain, plain.type) }), ...(texts.length > 0 && { references: texts }) };
}

/** The text of a reference, and of each shorter reference that it implies. */
function referenceTexts({ subject, remaining }: Reference): readonly string[] {
  const text = formatReferenceSubject(subject);
  const texts: string[] = [];
  for (let length = remaining.length; length > 0; length--) texts.push(text + formatSteps(remaining.slice(0, length)));
  const whole = wholeSubject(subject);
  return [...texts, text, ...(whole === undefined ? [] : [formatReferenceSubject(whole)])];
}

/** The subject that contains the subject of a reference: the resource of an instance, or the module call of an instance or output. */
function wholeSubject(subject: ReferenceSubject): ReferenceSubject | undefined {
  switch (subject.kind) {
    case "moduleCallInstance":
      return { kind: "moduleCall", name: subject.name };
    case "resourceInstance":
      return subject.key === undefined ? undefined : { kind: "resource", resource: subject.resource };
    case "moduleOutput":
      return subject.key === undefined
        ? { kind: "moduleCall", name: subject.call }
        : { kind: "moduleCallInstance", name: subject.call, key: subject.key };
    default:
      return undefined;
  }
}

/** The expressions of a body that a schema describes. `dynamic` blocks are left out. @see OpenTofu jsonconfig, marshalExpressions */
export function expressionsJson(body: Body, schema: Block): Readonly<Record<string, JsonTree>> {
  const { content } = blocksAsAttributes(body, ambiguousSchema(schema)).partialContent(impliedSchema(decoderSpec(schema)));
  const expressions: Record<string, JsonTree> = {};
  for (const [name, { expression }] of content.attributes) expressions[name] = expressionJson(expression);
  for (const { type, labels, body: nested } of content.blocks) {
    const nestedSchema = schema.blocks[type];
    if (nestedSchema === undefined) continue;
    const json = expressionsJson(nested, nestedSchema.block);
    if (nestedSchema.nesting === "list" || nestedSchema.nesting === "set") {
      const earlier = (expressions[type] as readonly JsonTree[] | undefined) ?? [];
      expressions[type] = [...earlier, json];
    } else if (nestedSchema.nesting === "map") expressions[type] = { ...(expressions[type] as object | undefined), [labels[0]!]: json };
    else expressions[type] = json;
  }
  return expressions;
}

/** The references of `depends_on` in the form of plan JSON. */
export function dependsOnJson(traversals: readonly Traversal[] | undefined): { readonly depends_on?: readonly string[] } {
  if (traversals === undefined || traversals.length === 0) return {};
  return { depends_on: referencesOfTraversals(traversals).references.map(({ reference }) => formatReferenceSubject(reference.subject)) };
}
