// SPDX-License-Identifier: Apache-2.0
import { unknown, withoutOptionalAttributes } from "@tenon/cty";
import { valueOf } from "@tenon/cty/unstable/payload";
import { hasErrors, type Body } from "@tenon/hcl";
import { blocksAsAttributes, decode, isLegacySchema } from "@tenon/hcl/decode";
import { expandDynamicBlocks } from "@tenon/hcl/dynamic-block";
import type { Evaluation, Scope } from "@tenon/hcl/evaluate";
import { impliedType, type Block } from "@tenon/schema";
import { explainUnknownFunction } from "../configuration/unknown-function.ts";
import { takeDeprecationsOfBody } from "../provider/body-deprecation.ts";
import type { AddressedDiagnostic } from "../provider/provider-diagnostic.ts";
import { withProviderCalls, type PendingCalls } from "../provider/provider-function.ts";
import { ambiguousSchema, decoderSpec } from "./decoder-spec.ts";
import { misplacedEphemeralValues } from "./ephemeral-values.ts";
import type { ReferenceScope } from "./reference-scope.ts";
import { referencesOfBody, referencesOfExpandedBody, referencesOfExpansion, type References } from "./references.ts";
import type { RepeatedBody } from "./repeated-body.ts";
import { convertToSchema } from "./schema-conversion.ts";

/** The result of an evaluation with its scope, for diagnostics. */
export interface ScopedEvaluation extends Evaluation {
  readonly diagnostics: readonly AddressedDiagnostic[];
  readonly scope: Scope;
}

/** Options of decoding a body. */
export interface DecodeOptions {
  /** Whether any attribute may have ephemeral values. Default: only write-only ones may. */
  readonly allowsEphemeral?: boolean;
  /** The address of the object, for diagnostics about its values. Absent: they have none. */
  readonly address?: string;
}

/** How {@link decodeBody} evaluates expressions. */
export interface BodyScope extends DecodeOptions {
  /** The body of a block that is decoded for each of its instances. */
  readonly repeated?: RepeatedBody | undefined;
  /** The scope in which expressions with these references are evaluated. */
  readonly scopeFor: (references: References, pending: PendingCalls) => Promise<ReferenceScope> | ReferenceScope;
}

/**
 * Decodes a body by a provider's schema, including `dynamic` blocks. Diagnostics are returned, not reported.
 *
 * @see OpenTofu lang/eval.go, Scope.ExpandBlock and Scope.EvalBlock
 */
export async function decodeBody(
  body: Body,
  schema: Block,
  { scopeFor, allowsEphemeral = false, address, repeated }: BodyScope,
): Promise<ScopedEvaluation> {
  const spec = decoderSpec(schema);
  const pending: PendingCalls = [];
  const built = scopeFor(referencesOfBody(body, spec), pending);
  let { scope, diagnostics } = built instanceof Promise ? await built : built;
  const ambiguous = ambiguousSchema(schema);
  // In OpenTofu, the body in which blocks can stand for attributes has no marks.
  const expansionOptions = { marksBlocks: !isLegacySchema(ambiguous) };
  let expanded = (): Body => (repeated?.hasOnlyAttributes ? repeated : expandDynamicBlocks(repeated ?? body, scope, expansionOptions));
  if (hasErrors(diagnostics)) {
    // References in the content of `dynamic` blocks are reported only if content is generated, and after the errors of the arguments.
    const expansion = await scopeFor(referencesOfExpansion(body, spec), pending);
    const generated = expandDynamicBlocks(body, expansion.scope, expansionOptions);
    const content = await scopeFor(referencesOfExpandedBody(generated, spec), pending);
    diagnostics = [...expansion.diagnostics, ...content.diagnostics];
    scope = content.scope;
    if (hasErrors(content.diagnostics)) return { value: unknown(impliedType(schema)), diagnostics, scope };
    expanded = () => generated;
  }
  let configured = body;
  const decoding = withProviderCalls(pending, () => {
    configured = blocksAsAttributes(expanded(), ambiguous);
    return decode(configured, spec, scope);
  });
  const decoded = decoding instanceof Promise ? await decoding : decoding;
  if (decoded.diagnostics.length === 0 && diagnostics.length === 0) repeated?.learn(decoded.value);
  // If a body has no blocks of a type, the element type of the empty list or set has the optional attributes of the spec.
  const type = withoutOptionalAttributes(decoded.value.type);
  const whole = type === decoded.value.type ? decoded.value : valueOf(type, decoded.value.payload);
  const { value: converted, diagnostics: mismatches } = convertToSchema(whole, schema, configured);
  const { value, diagnostics: deprecations } = takeDeprecationsOfBody(converted, configured);
  const own = decoded.diagnostics.map(explainUnknownFunction);
  const ephemeral = allowsEphemeral ? [] : misplacedEphemeralValues(value, schema, body);
  const ofValues = [...mismatches, ...ephemeral, ...deprecations].map((one) => ({ ...one, ...(address !== undefined && { address }) }));
  return { value, diagnostics: [...diagnostics, ...own, ...ofValues], scope };
}
