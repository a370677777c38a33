// SPDX-License-Identifier: Apache-2.0
import { formatPath, testConformance, type Type, type Value } from "@tenon/cty";
import { assertWriteOnlyNull } from "../change/write-only.ts";
import { formatRuleViolation, type RuleViolation } from "../change/rule-violation.ts";
import { errorDiagnostic, type Diagnostic } from "../diagnostic.ts";
import { impliedType } from "../model/implied-type.ts";
import type { ComponentType } from "./resource-type.ts";

/** Creates the error for a violation of the protocol by the provider. `what` follows the name of the provider. */
export function providerFault(type: ComponentType, summary: string, what: string): Diagnostic {
  return errorDiagnostic(
    summary,
    `Provider ${JSON.stringify(type.providerAddress)} ${what}.\n\nThis is a bug in the provider, which should be reported in the provider's own issue tracker.`,
  );
}

/** Returns `aws_instance.web.tags["a"]: message`. */
export function violationAt(address: string, violation: RuleViolation): string {
  return violation.path.length === 0 ? `${address}: ${violation.message}` : `${address}${formatRuleViolation(violation)}`;
}

/** Returns a fault for each difference between the type of a value and the type it must have. */
export function conformanceFaults(
  type: ComponentType,
  summary: string,
  value: Value,
  expected: Type,
  what: (at: string) => string,
  address: string,
): Diagnostic[] {
  return testConformance(value.type, expected).map((error) => providerFault(type, summary, what(violationAt(address, error))));
}

/** Returns the faults of a value that must be of the component's object type. */
export function objectFaults(type: ComponentType, summary: string, value: Value, when: string, address: string): Diagnostic[] {
  return conformanceFaults(type, summary, value, impliedType(type.schema.block), (at) => `${when} an invalid value for ${at}`, address);
}

/** Returns a fault for each write-only attribute that has a value. */
export function writeOnlyFaults(type: ComponentType, value: Value): Diagnostic[] {
  return assertWriteOnlyNull(type.schema.block, value).map((violation) =>
    providerFault(
      type,
      "Invalid provider response",
      `returned a value for the write-only attribute ${JSON.stringify(formatPath(violation.path))} of ${type.typeName}, which must be null in every plan and state`,
    ),
  );
}
