// SPDX-License-Identifier: Apache-2.0
import { isValue, type Path, type PathStep } from "@tenon/cty";
import { isNumberPayload, numberToBigint, unmarkedPayload } from "@tenon/cty/unstable/payload";
import { hasErrors, type Body, type Diagnostic, type SourceRange } from "@tenon/hcl";
import { expressionList, expressionMap } from "@tenon/hcl/analysis";
import type { Attribute } from "@tenon/hcl/body";
import { evaluate } from "@tenon/hcl/evaluate";
import { startRange } from "@tenon/hcl/syntax";
import type { Diagnostic as ProviderDiagnostic, ProviderError } from "@tenon/schema";
import { isProviderFault } from "@tenon/schema/lifecycle";

/**
 * Adds the ranges of the attributes and the address of the object to the diagnostics of a provider.
 *
 * @param body The configuration of the object. Without one, the diagnostics have neither ranges nor the address, as in OpenTofu.
 * @see OpenTofu tfdiags, InConfigBody
 */
export function locateDiagnostics(
  diagnostics: readonly ProviderDiagnostic[],
  body: Body | undefined,
  address: string,
): readonly AddressedDiagnostic[] {
  return diagnostics.map((diagnostic) => {
    const { severity, summary, detail, attribute } = diagnostic;
    // The configuration is not what a fault of the provider is about.
    if (isProviderFault(diagnostic)) return { severity, summary, detail };
    const path = transmissible(attribute ?? []);
    const subject = body && (path.length === 0 ? body.missingItemRange() : rangeOfAttribute(body, path));
    return { severity, summary, detail, ...(subject && { subject, address }) };
  });
}

/** The part of a path that the protocol can transmit: a path ends before a step into a set. Providers in the same process have longer ones. */
function transmissible(path: Path): Path {
  const end = path.findIndex((step) => step.kind === "index" && keyOf(step) === undefined);
  return end === -1 ? path : path.slice(0, end);
}

/** A diagnostic about an object of the configuration. */
export interface AddressedDiagnostic extends Diagnostic {
  /** Address of the object. */
  readonly address?: string;
}

/**
 * The range of the attribute at a path. If the configuration does not have the attribute, the range of the nearest body around it. Undefined
 * for an empty path.
 *
 * @see OpenTofu tfdiags, attributeDiagnostic.ElaborateFromConfigBody
 */
export function rangeOfAttribute(body: Body, path: Path): SourceRange | undefined {
  const last = path.at(-1);
  if (last === undefined) return undefined;
  if (path[0]!.kind === "index") return body.missingItemRange();
  const steps = last.kind === "index" ? path.slice(0, -1) : path;
  const inner = steps.length > 1 ? nestedBody(body, steps) : body;
  const final = steps.at(-1)!;
  if (final.kind !== "attribute") return inner.missingItemRange();
  const { content, diagnostics } = inner.partialContent({ attributes: [{ name: final.name, required: true }] });
  const attribute = hasErrors(diagnostics) ? undefined : content.attributes.get(final.name);
  if (attribute === undefined) return inner.missingItemRange();
  return last.kind === "index" ? rangeOfElement(attribute, keyOf(last)) : attribute.expression.range;
}

/** The body of the innermost block on a path that the configuration has. */
function nestedBody(body: Body, steps: Path): Body {
  let at = body;
  for (let index = 0; index < steps.length; index++) {
    const step = steps[index]!;
    if (step.kind !== "attribute") return at;
    const next = steps[index + 1];
    const key = next?.kind === "index" ? keyOf(next) : undefined;
    if (next?.kind === "index") index++;
    const labelNames = typeof key === "string" ? ["key"] : [];
    const { content, diagnostics } = at.partialContent({ blocks: [{ type: step.name, labelNames }] });
    if (hasErrors(diagnostics)) return at;
    const blocks = content.blocks.filter(({ type }) => type === step.name);
    if (blocks.length === 0) continue;
    let block = blocks.length === 1 ? blocks[0] : undefined;
    if (typeof key === "number") block = blocks[key];
    else if (typeof key === "string") block = blocks.find(({ labels }) => labels[0] === key);
    else if (next?.kind === "index") return at;
    if (block === undefined) return at;
    at = block.body;
  }
  return at;
}

/** The range of an element of an attribute. */
function rangeOfElement({ expression, nameRange }: Attribute, key: string | number | undefined): SourceRange {
  if (typeof key === "number") {
    const { list, diagnostics } = expressionList(expression);
    return list === undefined || hasErrors(diagnostics) ? expression.range : (list[key]?.range ?? nameRange);
  }
  if (key === undefined) return expression.range;
  const { map, diagnostics } = expressionMap(expression);
  if (map === undefined || hasErrors(diagnostics)) return expression.range;
  for (const { key: keyExpression, value } of map) {
    const evaluation = evaluate(keyExpression);
    if (hasErrors(evaluation.diagnostics)) return expression.range;
    if (evaluation.value.payload === key) return startRange(value);
  }
  return nameRange;
}

function keyOf(step: PathStep): string | number | undefined {
  if (step.kind !== "index" || !isValue(step.key)) return undefined;
  const payload = unmarkedPayload(step.key.payload);
  if (typeof payload === "string") return payload;
  return isNumberPayload(payload) ? Number(numberToBigint(payload)) : undefined;
}

/** The diagnostic about a failed call of a provider for an object. */
export function failedCall(address: string, { message }: ProviderError): AddressedDiagnostic {
  return { severity: "error", summary: "Provider call failed", detail: `${address}: ${message}`, address };
}
