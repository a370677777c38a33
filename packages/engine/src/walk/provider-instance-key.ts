// SPDX-License-Identifier: Apache-2.0
import { CtyError, isKnown, isNull, string } from "@tenon/cty";
import { convert } from "@tenon/cty/convert";
import type { DiagnosticExtra, Expression } from "@tenon/hcl";
import { conversionText } from "../configuration/value-path.ts";
import type { ModuleScope } from "../evaluation/module-scope.ts";
import type { ScopeData } from "../evaluation/scope-data.ts";
import { isEphemeral, isSensitive } from "../marks/value-marks.ts";

/** The place of the key of a provider instance. */
export interface ProviderKeyPlace {
  /** The module instance whose expression the key is, and the values of `count` and `each` there. */
  readonly scope: ModuleScope;
  readonly data: ScopeData;
  /** Address of the resource instance that needs the provider, for errors. */
  readonly address: string;
}

/**
 * Evaluates the key of a provider instance: the part in brackets of `provider = aws.by_region[each.key]`. Numbers and bools become strings.
 *
 * @throws UpstreamError after an error, which is reported.
 * @see OpenTofu eval_provider.go, resolveProviderInstance
 */
export async function providerInstanceKey(expression: Expression, { scope, data, address }: ProviderKeyPlace): Promise<string> {
  const { value, diagnostics } = await scope.evaluate(expression, data);
  scope.settle(undefined, diagnostics);
  const invalid = (detail: string, extra?: DiagnosticExtra): never => {
    const place = { subject: expression.range, ...(extra && { extra }) };
    return scope.settle(undefined as never, [{ severity: "error", summary: "Invalid provider instance key", detail, ...place }]);
  };
  const confidential: DiagnosticExtra = { kind: "valueCause", cause: "marked" };
  if (isSensitive(value)) invalid("A provider instance key must not be derived from a sensitive value.", confidential);
  if (isEphemeral(value)) invalid("A provider instance key must not be derived from an ephemeral value.", confidential);
  if (isNull(value)) invalid("A provider instance key must not be null.");
  if (!isKnown(value)) {
    const detail = `The provider instance key for ${address} depends on values that cannot be determined until apply, and so OpenTofu cannot select a provider instance to create a plan for this resource instance.`;
    invalid(detail, { kind: "valueCause", cause: "unknown" });
  }
  try {
    return convert(value, string).payload as string;
  } catch (error) {
    if (!(error instanceof CtyError)) throw error;
    return invalid(`The given instance key is unsuitable: ${conversionText(error)}.`);
  }
}
