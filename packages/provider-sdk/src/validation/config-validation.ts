// SPDX-License-Identifier: Apache-2.0
import { indexStep, isWhollyKnown, type Path, type Value } from "@tenon/cty";
import { isUnknownPayload, valueOf, type Payload } from "@tenon/cty/unstable/payload";
import { errorDiagnostic, warningDiagnostic, type Diagnostic } from "@tenon/schema";
import { decodeEntry } from "../conversion/decode.ts";
import { pathText } from "../conversion/problem.ts";
import { hasContent, partOf } from "../planning/part.ts";
import { bodyOf, hasEntries, type EntryShape, type ObjectShape } from "../schema/shape.ts";
import { runRules, type Whole } from "./rule-validation.ts";
import { runValidators, settledFindings, validateInside, type Found } from "./value-validation.ts";

export interface ConfigValidation {
  /** Whether whoever asks knows what a write-only attribute is: Terraform and OpenTofu since 1.11. */
  readonly writeOnlyAllowed: boolean;
}

interface WholeValidation extends ConfigValidation {
  /** What rules may look at from inside. */
  readonly whole: Whole;
}

/**
 * Everything the schema itself says about a configuration. Nothing stops at the first fault; what is unknown passes. A promise
 * only where a validator answers later.
 *
 * @see framework rules 10 and 11: terraform-plugin-framework internal/fwserver/attribute_validation.go
 */
export function validateConfig(
  shape: ObjectShape,
  config: Value,
  validation: ConfigValidation,
): readonly Diagnostic[] | Promise<readonly Diagnostic[]> {
  const found: Found = [];
  validateObject(shape, config, [], false, { ...validation, whole: { shape, config } }, found);
  return settledFindings(found);
}

function validateObject(
  shape: ObjectShape,
  object: Value,
  path: Path,
  sensitive: boolean,
  validation: WholeValidation,
  found: Found,
): void {
  for (const blocks of [false, true]) {
    for (const entry of shape.entries) {
      if ((entry.kind === "block") !== blocks) continue;
      validateEntry(entry, partOf(object, entry), [...path, entry.step], sensitive || entry.sensitive, validation, found);
    }
  }
  runRules(shape, object, path, validation.whole, validation.writeOnlyAllowed, found);
}

function validateEntry(entry: EntryShape, value: Value, path: Path, sensitive: boolean, validation: WholeValidation, found: Found): void {
  const name = pathText(path);
  const error = (summary: string, detail: string): void => void found.push(errorDiagnostic(summary, detail, path));
  if (value.payload === null) {
    if (!entry.required) return;
    if (entry.kind === "block") error("Missing required block", `A block ${name} is required, and there is none.`);
    else error("Missing required attribute", `${name} is required, and is not set.`);
    return;
  }
  if (!entry.configurable) {
    error("Value for a read-only attribute", `${name} is set by the provider: it cannot be in a configuration.`);
  }
  if (entry.writeOnly && !validation.writeOnlyAllowed) {
    error("Write-only attribute not supported", `${name} is write-only, which takes Terraform or OpenTofu 1.11 or later: leave it out.`);
  }
  if (isUnknownPayload(value.payload)) return;
  if (hasEntries(entry)) validateNested(entry, value, path, sensitive, validation, found);
  else validateWhole(entry, value, path, sensitive, found);
  // An empty collection of blocks is what a configuration without the block has.
  const isWritten = entry.kind !== "block" || !isEmpty(value.payload);
  if (entry.deprecated !== undefined && isWritten) {
    found.push(
      warningDiagnostic(`Deprecated ${entry.kind === "block" ? "block" : "attribute"}`, `${name} is deprecated: ${entry.deprecated}`, path),
    );
  }
}

function isEmpty(payload: Payload): boolean {
  return payload instanceof Map ? payload.size === 0 : Array.isArray(payload) && payload.length === 0;
}

/** An attribute that is set as a whole. */
function validateWhole(entry: EntryShape, value: Value, path: Path, sensitive: boolean, found: Found): void {
  const { value: seen, problems } = decodeEntry(entry, value, "configDraft");
  for (const problem of problems) {
    const at = [...path, ...problem.path];
    found.push(errorDiagnostic("Invalid value", `${pathText(at)} ${problem.what}.`, at));
  }
  if (problems.length > 0) return;
  validateInside(entry.shape, value.type, value.payload, path, sensitive, found);
  if (isWhollyKnown(value)) runValidators(entry.validators, seen, path, sensitive, found);
}

/** What is below a nested attribute or block, then all of it together. */
function validateNested(entry: EntryShape, value: Value, path: Path, sensitive: boolean, validation: WholeValidation, found: Found): void {
  const body = bodyOf(entry);
  const element = (payload: Payload, at: Path): void => {
    if (payload === null) found.push(errorDiagnostic("Invalid value", `${pathText(at)} is null, and must not be.`, at));
    else if (!isUnknownPayload(payload)) validateObject(body, valueOf(body.type, payload), at, sensitive, validation, found);
  };
  switch (entry.nesting) {
    case "list":
      for (const [index, payload] of (value.payload as readonly Payload[]).entries()) element(payload, [...path, indexStep(index)]);
      break;
    case "set":
      for (const payload of value.payload as readonly Payload[]) element(payload, [...path, indexStep(valueOf(body.type, payload))]);
      break;
    case "map":
      for (const [key, payload] of value.payload as ReadonlyMap<string, Payload>) element(payload, [...path, indexStep(key)]);
      break;
    default:
      validateObject(body, value, path, sensitive, validation, found);
  }
  if (entry.kind === "block") validateCount(entry, value, path, found);
  if (entry.validators.length === 0 || !isWhollyKnown(value)) return;
  // A validator is given what its type promises, or nothing: what is missing has been reported.
  const { value: seen, problems } = decodeEntry(entry, value, "config");
  if (problems.length === 0) runValidators(entry.validators, seen, path, sensitive, found);
}

function validateCount(entry: EntryShape, value: Value, path: Path, found: Found): void {
  if ((entry.nesting !== "list" && entry.nesting !== "set") || !hasContent(value)) return;
  const payloads = value.payload as readonly Payload[];
  // Unknown elements of a set may turn out equal, and a dynamic block may turn out longer.
  const certain = !payloads.some(isUnknownPayload);
  const name = pathText(path);
  if (certain && payloads.length < entry.minItems) {
    found.push(
      errorDiagnostic("Too few blocks", `There must be at least ${entry.minItems} of ${name}, and there are ${payloads.length}.`, path),
    );
  }
  if (entry.maxItems > 0 && payloads.length > entry.maxItems) {
    found.push(
      errorDiagnostic("Too many blocks", `There must be at most ${entry.maxItems} of ${name}, and there are ${payloads.length}.`, path),
    );
  }
}
