// SPDX-License-Identifier: Apache-2.0
import { CtyError, isNull, nullOf, refine, string, tupleOf, unknown, withoutOptionalAttributes, type Value } from "@tenon/cty";
import { convert } from "@tenon/cty/convert";
import { goQuote as quote, normalizeString, valueOf } from "@tenon/cty/unstable/payload";
import type { Body, BodyContent } from "../body/body.ts";
import { customDecoderOf } from "../evaluate/custom-decoding.ts";
import { evaluate } from "../evaluate/evaluate.ts";
import { evaluationError } from "../evaluate/evaluator.ts";
import { scopeWith, type Scope } from "../syntax/scope.ts";
import { hasErrors, type Diagnostic } from "../syntax/diagnostic.ts";
import { rangeBetween } from "../syntax/range.ts";
import { attributesValue } from "./block-attributes.ts";
import { blockSequenceValue } from "./block-sequence.ts";
import { blockTreeValue } from "./block-tree.ts";
import { onlyBlock } from "./block.ts";
import type { Decoder } from "./decoder.ts";
import { impliedSchema } from "./implied-schema.ts";
import { objectDecoding } from "./object-decoding.ts";
import { concreteType } from "./implied-type.ts";
import { labelAt, rangeInContent, type BlockLabel } from "./source-range.ts";
import type { AttributeSpec, Spec } from "./spec.ts";

/** Result of decoding. After an error, the parts of the value that could not be decoded are unknown. */
export interface Decoding {
  readonly value: Value;
  readonly diagnostics: readonly Diagnostic[];
}

/**
 * Decodes a body by a spec. Attributes and blocks that the spec does not have are errors. Without a scope, references and calls are
 * errors.
 *
 * @throws HclError `INVALID_SPEC` for an invalid spec.
 * @see hcldec.Decode
 *
 * @example
 * const { body } = parseConfig('name = "web"');
 * decode(body, { kind: "attribute", name: "name", type: string }).value
 * // => cty.StringVal("web")
 */
export function decode(body: Body, spec: Spec, scope?: Scope): Decoding {
  const { content, diagnostics } = body.content(impliedSchema(spec));
  return decodeContent(content, diagnostics, [], spec, scope);
}

/** Decodes a body by a spec, and returns a body with the attributes and blocks that the spec does not have. Nested blocks must match the spec. @see hcldec.PartialDecode */
export function partialDecode(body: Body, spec: Spec, scope?: Scope): Decoding & { readonly remain: Body } {
  const { content, diagnostics, remain } = body.partialContent(impliedSchema(spec));
  return { ...decodeContent(content, diagnostics, [], spec, scope), remain };
}

function decodeContent(
  content: BodyContent,
  found: readonly Diagnostic[],
  labels: readonly BlockLabel[],
  spec: Spec,
  scope: Scope | undefined,
): Decoding {
  const decoder = new BodyDecoding(scope);
  decoder.diagnostics.push(...found);
  return { value: decoder.value(content, labels, spec), diagnostics: decoder.diagnostics };
}

class BodyDecoding implements Decoder {
  readonly diagnostics: Diagnostic[] = [];
  readonly scope: Scope | undefined;

  constructor(scope: Scope | undefined) {
    this.scope = scope;
  }

  ofBody(body: Body, labels: readonly BlockLabel[], spec: Spec): Value {
    const { content, diagnostics } = body.content(impliedSchema(spec));
    this.diagnostics.push(...diagnostics);
    return this.value(content, labels, spec);
  }

  value(content: BodyContent, labels: readonly BlockLabel[], spec: Spec): Value {
    switch (spec.kind) {
      case "object":
        return objectDecoding(spec).value((one) => this.value(content, labels, one));
      case "tuple":
        return tupleOf(spec.specs.map((one) => this.value(content, labels, one)));
      case "attribute":
        return this.#attribute(content, spec);
      case "literal":
        return spec.value;
      case "expression": {
        const { value, diagnostics } = evaluate(spec.expression, this.scope);
        this.diagnostics.push(...diagnostics);
        return value;
      }
      case "block":
        return onlyBlock(this, content, spec);
      case "blockList":
      case "blockSet":
      case "blockTuple":
        return blockSequenceValue(this, content, spec);
      case "blockMap":
      case "blockObject":
        return blockTreeValue(this, content, spec);
      case "blockAttributes":
        return attributesValue(this, content, spec);
      case "blockLabel":
        return valueOf(string, normalizeString(labelAt(labels, spec.index).value));
      case "default": {
        const primary = this.value(content, labels, spec.primary);
        return isNull(primary) ? this.value(content, labels, spec.default) : primary;
      }
      default:
        return this.#wrapping(content, labels, spec);
    }
  }

  #attribute(content: BodyContent, { name, type }: AttributeSpec): Value {
    const attribute = content.attributes.get(name);
    // A missing required attribute has been reported already.
    if (attribute === undefined) return nullOf(withoutOptionalAttributes(type));
    const { expression, nameRange } = attribute;
    const decoder = customDecoderOf(type);
    const { value, diagnostics } = (decoder ?? evaluate)(expression, this.scope);
    this.diagnostics.push(...diagnostics);
    if (value === undefined) return unknown(withoutOptionalAttributes(type));
    if (decoder !== undefined) return value;
    try {
      return convert(value, type);
    } catch (error) {
      if (!(error instanceof CtyError)) throw error;
      const detail = `Inappropriate value for attribute ${quote(name)}: ${error.message}.`;
      const at = { subject: expression.range, context: rangeBetween(nameRange, expression.range) };
      this.diagnostics.push(evaluationError("Incorrect attribute value type", detail, at, expression, this.scope));
      return unknown(withoutOptionalAttributes(type));
    }
  }

  /** Decodes specs that process the value of another spec. After an error of that spec, the value is unknown. */
  #wrapping(content: BodyContent, labels: readonly BlockLabel[], spec: WrappingSpec): Value {
    const start = this.diagnostics.length;
    const wrapped = this.value(content, labels, spec.wrapped);
    if (hasErrors(this.diagnostics.slice(start))) return unknown(concreteType(spec));
    switch (spec.kind) {
      case "transformExpression": {
        const { value, diagnostics } = evaluate(spec.expression, scopeWith(new Map([[spec.variable, wrapped]]), spec.scope));
        this.diagnostics.push(...diagnostics);
        return value;
      }
      case "transformFunction":
        try {
          return spec.function.call([wrapped]);
        } catch (error) {
          if (!(error instanceof CtyError)) throw error;
          const detail = `Decoder transform returned an error: ${error.message}`;
          const subject = rangeInContent(content, labels, spec);
          this.diagnostics.push({ severity: "error", summary: "Transform function failed", detail, subject });
          return unknown(concreteType(spec));
        }
      case "refine":
        return refine(wrapped, ...[spec.refinements].flat());
      default:
        for (const problem of spec.check(wrapped)) {
          this.diagnostics.push(problem.subject === undefined ? { ...problem, subject: rangeInContent(content, labels, spec) } : problem);
        }
        return wrapped;
    }
  }
}

type WrappingSpec = Extract<Spec, { readonly wrapped: Spec }>;
