// SPDX-License-Identifier: Apache-2.0
import { indexStep, isWhollyKnown, type ObjectType, type Path, type Type } from "@tenon/cty";
import { isUnknownPayload, valueOf, type Payload } from "@tenon/cty/unstable/payload";
import { errorDiagnostic, warningDiagnostic, type Diagnostic } from "@tenon/schema";
import { decodePlain } from "../conversion/decode.ts";
import { pathText } from "../conversion/problem.ts";
import type { Validator } from "../definition/attribute-options.ts";
import { currentLog } from "../observability/current-call.ts";
import { logError } from "../observability/error-stack.ts";
import type { Shape } from "../shape/shape.ts";
import { findingsIn, type Findings, type MaybeLater } from "../validators/findings.ts";
import type { Verdict } from "../definition/verdict.ts";

/** Diagnostics of a configuration, in order. A promise resolves to those of a validator that has not finished. */
export type PendingDiagnostics = (Diagnostic | Promise<readonly Diagnostic[]>)[];

/** Returns all diagnostics once every validator has finished. */
export function completedDiagnostics(found: PendingDiagnostics): readonly Diagnostic[] | Promise<readonly Diagnostic[]> {
  if (!found.some((one) => one instanceof Promise)) return found as readonly Diagnostic[];
  return Promise.all(found.map(async (one) => one)).then((all) => all.flat());
}

/** Runs all validators of one value. The value must be wholly known and not null. */
export function runValidators(
  validators: readonly Validator<unknown>[],
  value: unknown,
  path: Path,
  sensitive: boolean,
  found: PendingDiagnostics,
): void {
  for (const validator of validators) {
    const diagnosticsOf = (findings: Findings): readonly Diagnostic[] => [
      ...findings.errors.map((wrong) =>
        errorDiagnostic("Invalid value", `${pathText(path)} ${wrong}.${quotedValue(value, sensitive)}`, path),
      ),
      ...findings.warnings.map(({ warning }) =>
        warningDiagnostic("Discouraged value", `${pathText(path)} ${withoutFullStop(warning)}.`, path),
      ),
    ];
    const findings = findingsOf(validator, value);
    if (findings instanceof Promise) found.push(findings.then(diagnosticsOf));
    else found.push(...diagnosticsOf(findings));
  }
}

/** Runs a validator, and returns its findings. An error that it throws becomes a finding. */
export function findingsOf(validator: Validator<unknown>, value: unknown): MaybeLater<Findings> {
  const findingOfError = (error: unknown): Findings => {
    logError(currentLog(), "A validator failed", error);
    return { errors: [`could not be checked: ${error instanceof Error ? error.message : String(error)}`], warnings: [] };
  };
  const findingsOfVerdict = (verdict: Verdict): Findings => {
    const { errors, warnings } = findingsIn(verdict);
    return { errors: errors.map(withoutFullStop), warnings };
  };
  try {
    const verdict = validator(value);
    return verdict instanceof Promise ? verdict.then(findingsOfVerdict, findingOfError) : findingsOfVerdict(verdict);
  } catch (error) {
    return findingOfError(error);
  }
}

/** Removes a final full stop, because the message adds one. */
function withoutFullStop(text: string): string {
  return text.replace(/\.$/, "");
}

/** Maximum length of a value in a message. */
const maxQuotedLength = 200;

/** Returns a sentence with the value, or an empty text if the value is sensitive, long, or not a primitive. */
function quotedValue(value: unknown, sensitive: boolean): string {
  if (sensitive || (typeof value === "object" && value !== null)) return "";
  const text = typeof value === "string" ? JSON.stringify(value) : String(value);
  return text.length > maxQuotedLength ? "" : `\n\nIt is ${text}.`;
}

/** Runs the validators of the elements and members of a value. */
export function validateInside(
  shape: Shape,
  type: Type,
  payload: Payload,
  path: Path,
  sensitive: boolean,
  found: PendingDiagnostics,
): void {
  if (payload === null || isUnknownPayload(payload)) return;
  switch (shape.kind) {
    case "object":
      for (const entry of shape.entries) {
        const memberType = (type as ObjectType).attributes[entry.name]!;
        const member = (payload as readonly Payload[])[entry.slot]!;
        validatePart(entry.shape, memberType, member, entry.validators, [...path, entry.step], sensitive, found);
      }
      return;
    case "list":
      for (const [index, element] of (payload as readonly Payload[]).entries()) {
        validatePart(shape.element, shape.element.type, element, shape.elementValidators, [...path, indexStep(index)], sensitive, found);
      }
      return;
    case "set":
      for (const element of payload as readonly Payload[]) {
        const at = [...path, indexStep(valueOf(shape.element.type, element))];
        validatePart(shape.element, shape.element.type, element, shape.elementValidators, at, sensitive, found);
      }
      return;
    case "map":
      for (const [key, element] of payload as ReadonlyMap<string, Payload>) {
        validatePart(shape.element, shape.element.type, element, shape.elementValidators, [...path, indexStep(key)], sensitive, found);
      }
      return;
    default:
  }
}

function validatePart(
  shape: Shape,
  type: Type,
  payload: Payload,
  validators: readonly Validator<unknown>[],
  path: Path,
  sensitive: boolean,
  found: PendingDiagnostics,
): void {
  validateInside(shape, type, payload, path, sensitive, found);
  const value = valueOf(type, payload);
  if (validators.length === 0 || payload === null || !isWhollyKnown(value)) return;
  runValidators(validators, decodePlain(shape, value, { unknown: false, null: false }).value, path, sensitive, found);
}
