// SPDX-License-Identifier: Apache-2.0
import { indexStep, isWhollyKnown, type ObjectType, type Path, type Type } from "@tenon/cty";
import { isUnknownPayload, valueOf, type Payload } from "@tenon/cty/unstable/payload";
import { errorDiagnostic, warningDiagnostic, type Diagnostic } from "@tenon/schema";
import { decodePlain } from "../conversion/decode.ts";
import { pathText } from "../conversion/problem.ts";
import type { Validator } from "../definition/attribute-options.ts";
import type { Shape } from "../schema/shape.ts";
import { findingsIn, type Findings, type MaybeLater, type Verdict } from "../validators/verdict.ts";

/** What has been found of a configuration so far, in order; of some of it a validator is still thinking. */
export type Found = (Diagnostic | Promise<readonly Diagnostic[]>)[];

/** Everything that has been found, once nobody thinks any more. */
export function settledFindings(found: Found): readonly Diagnostic[] | Promise<readonly Diagnostic[]> {
  if (!found.some((one) => one instanceof Promise)) return found as readonly Diagnostic[];
  return Promise.all(found.map(async (one) => one)).then((all) => all.flat());
}

/** Runs all validators of one value, which is wholly known and not null. */
export function runValidators(
  validators: readonly Validator<unknown>[],
  value: unknown,
  path: Path,
  sensitive: boolean,
  found: Found,
): void {
  for (const validator of validators) {
    const told = (findings: Findings): readonly Diagnostic[] => [
      ...findings.errors.map((wrong) =>
        errorDiagnostic("Invalid value", `${pathText(path)} ${wrong}.${valueText(value, sensitive)}`, path),
      ),
      ...findings.warnings.map(({ warning }) => warningDiagnostic("Discouraged value", `${pathText(path)} ${sentence(warning)}.`, path)),
    ];
    const findings = findingsOf(validator, value);
    if (findings instanceof Promise) found.push(findings.then(told));
    else found.push(...told(findings));
  }
}

/** What a validator says; one that throws says why. */
export function findingsOf(validator: Validator<unknown>, value: unknown): MaybeLater<Findings> {
  const failed = (error: unknown): Findings => ({
    errors: [`could not be checked: ${error instanceof Error ? error.message : String(error)}`],
    warnings: [],
  });
  const taken = (verdict: Verdict): Findings => {
    const { errors, warnings } = findingsIn(verdict);
    return { errors: errors.map(sentence), warnings };
  };
  try {
    const verdict = validator(value);
    return verdict instanceof Promise ? verdict.then(taken, failed) : taken(verdict);
  } catch (error) {
    return failed(error);
  }
}

/** Without the full stop that will be put behind it. */
function sentence(text: string): string {
  return text.replace(/\.$/, "");
}

const longest = 200;

/** The value itself, where it can be shown and is short enough to help. */
function valueText(value: unknown, sensitive: boolean): string {
  if (sensitive || (typeof value === "object" && value !== null)) return "";
  const text = typeof value === "string" ? JSON.stringify(value) : String(value);
  return text.length > longest ? "" : `\n\nIt is ${text}.`;
}

/** Runs what the elements and members of a value's own type ask for. */
export function validateInside(shape: Shape, type: Type, payload: Payload, path: Path, sensitive: boolean, found: Found): void {
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
  found: Found,
): void {
  validateInside(shape, type, payload, path, sensitive, found);
  const value = valueOf(type, payload);
  if (validators.length === 0 || payload === null || !isWhollyKnown(value)) return;
  runValidators(validators, decodePlain(shape, value, { unknown: false, null: false }).value, path, sensitive, found);
}
