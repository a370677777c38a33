// SPDX-License-Identifier: Apache-2.0
import { formatPath, testConformance, type Type, type Value } from "@tenon/cty";
import { assertWriteOnlyNull } from "../change/write-only.ts";
import { formatProblem, type Problem } from "../change/problem.ts";
import { errorDiagnostic, type Diagnostic } from "../diagnostic.ts";
import { impliedType } from "../model/implied-type.ts";
import type { ComponentType } from "./resource-type.ts";

/** The error that a provider's breach of the protocol is reported as. `what` follows the provider's name. */
export function providerFault(type: ComponentType, summary: string, what: string): Diagnostic {
  return errorDiagnostic(
    summary,
    `Provider ${JSON.stringify(type.providerAddress)} ${what}.\n\nThis is a bug in the provider, which should be reported in the provider's own issue tracker.`,
  );
}

/** `aws_instance.web.tags["a"]: message`. */
export function problemAt(address: string, problem: Problem): string {
  return problem.path.length === 0 ? `${address}: ${problem.message}` : `${address}${formatProblem(problem)}`;
}

/** One fault for each way in which a value is not of the type it must have. */
export function conformanceFaults(
  type: ComponentType,
  summary: string,
  value: Value,
  want: Type,
  what: (at: string) => string,
  address: string,
): Diagnostic[] {
  return testConformance(value.type, want).map((error) => providerFault(type, summary, what(problemAt(address, error))));
}

/** Faults of a value that must be of the type's own object type. */
export function objectFaults(type: ComponentType, summary: string, value: Value, when: string, address: string): Diagnostic[] {
  return conformanceFaults(type, summary, value, impliedType(type.schema.block), (at) => `${when} an invalid value for ${at}`, address);
}

/** One fault for each write-only attribute that has a value. */
export function writeOnlyFaults(type: ComponentType, value: Value): Diagnostic[] {
  return assertWriteOnlyNull(type.schema.block, value).map((problem) =>
    providerFault(
      type,
      "Invalid provider response",
      `returned a value for the write-only attribute ${JSON.stringify(formatPath(problem.path))} of ${type.typeName}, which must be null in every plan and state`,
    ),
  );
}
