// SPDX-License-Identifier: Apache-2.0
import { formatPath, testConformance, type Type, type Value } from "@tenon/cty";
import { assertWriteOnlyNull } from "../change/write-only.ts";
import { formatRuleViolation, type RuleViolation } from "../change/rule-violation.ts";
import { errorDiagnostic, type Diagnostic } from "../diagnostic.ts";
import { impliedType } from "../model/implied-type.ts";
import type { ComponentType } from "./resource-type.ts";

const faults = new WeakSet<Diagnostic>();

/** Whether a diagnostic is about a violation of the protocol by the provider: it comes from the host, and not from the provider. */
export function isProviderFault(diagnostic: Diagnostic): boolean {
  return faults.has(diagnostic);
}

/** Creates the error for a violation of the protocol by the provider. `what` follows the name of the provider. */
export function providerFault(type: ComponentType, summary: string, what: string): Diagnostic {
  return fault(summary, `Provider ${JSON.stringify(type.providerAddress)} ${what}`);
}

/** Creates the error for a provider whose second plan, with all values known, does not fit the first one. */
export function inconsistentPlanFault(type: ComponentType, address: string, what: string): Diagnostic {
  const source = /provider\["([^"]*)"\]/.exec(type.providerAddress)?.[1] ?? type.providerAddress;
  const start = `When expanding the plan for ${address} to include new values learned so far during apply`;
  return fault("Provider produced inconsistent final plan", `${start}, provider ${JSON.stringify(source)} ${what}`);
}

/** Creates the error for a provider whose result does not fit the plan. */
export function inconsistentResultFault(type: ComponentType, address: string, what: string): Diagnostic {
  const provider = JSON.stringify(type.providerAddress);
  return fault("Provider produced inconsistent result after apply", `When applying changes to ${address}, provider ${provider} ${what}`);
}

function fault(summary: string, sentence: string): Diagnostic {
  const advice = "This is a bug in the provider, which should be reported in the provider's own issue tracker.";
  const diagnostic = errorDiagnostic(summary, `${sentence}.\n\n${advice}`);
  faults.add(diagnostic);
  return diagnostic;
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
