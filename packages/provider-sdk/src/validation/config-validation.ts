// SPDX-License-Identifier: Apache-2.0
import { indexStep, isWhollyKnown, type Path, type Value } from "@tenon/cty";
import { isUnknownPayload, valueOf, type Payload } from "@tenon/cty/unstable/payload";
import { errorDiagnostic, warningDiagnostic, type Diagnostic } from "@tenon/schema";
import { decodeEntry } from "../conversion/decode.ts";
import { pathText } from "../conversion/problem.ts";
import { hasContent, partOf } from "../shape/part.ts";
import { bodyOf, hasEntries, type EntryShape, type ObjectShape } from "../shape/shape.ts";
import { runRules, type Whole } from "./rule-validation.ts";
import { runValidators, completedDiagnostics, validateInside, type PendingDiagnostics } from "./value-validation.ts";

/** Options of {@link validateConfig}. */
export interface ConfigValidation {
  /** Whether the core supports write-only attributes: Terraform and OpenTofu since 1.11. */
  readonly writeOnlyAllowed: boolean;
}

interface WholeValidation extends ConfigValidation {
  /** The whole configuration, for rules with path expressions. */
  readonly whole: Whole;
}

/**
 * Validates a configuration against its schema, with its validators and rules. Reports all errors; unknown values pass. Returns a promise
 * only if a validator does.
 *
 * @see rules 10 and 11 in test/rules; terraform-plugin-framework internal/fwserver/attribute_validation.go
 */
export function validateConfig(
  shape: ObjectShape,
  config: Value,
  validation: ConfigValidation,
): readonly Diagnostic[] | Promise<readonly Diagnostic[]> {
  const found: PendingDiagnostics = [];
  validateObject(shape, config, [], false, { ...validation, whole: { shape, config } }, found);
  return completedDiagnostics(found);
}

/** Validates an object. Returns whether a read-only attribute has a value, in the object or inside it. */
function validateObject(
  shape: ObjectShape,
  object: Value,
  path: Path,
  sensitive: boolean,
  validation: WholeValidation,
  found: PendingDiagnostics,
): boolean {
  let hasReadOnlyValue = false;
  for (const blocks of [false, true]) {
    for (const entry of shape.entries) {
      if ((entry.kind === "block") !== blocks) continue;
      const value = partOf(object, entry);
      if (value.payload === null && !entry.required) continue;
      const isReadOnly = validateEntry(entry, value, [...path, entry.step], sensitive || entry.sensitive, validation, found);
      if (isReadOnly) hasReadOnlyValue = true;
    }
  }
  runRules(shape, object, path, validation.whole, validation.writeOnlyAllowed, found);
  return hasReadOnlyValue;
}

/** Validates an attribute or block. Returns whether it is read-only and has a value, or something inside it. */
function validateEntry(
  entry: EntryShape,
  value: Value,
  path: Path,
  sensitive: boolean,
  validation: WholeValidation,
  found: PendingDiagnostics,
): boolean {
  const error = (summary: string, detailOf: (name: string) => string): void =>
    void found.push(errorDiagnostic(summary, detailOf(pathText(path)), path));
  if (value.payload === null) {
    if (!entry.required) return false;
    if (entry.kind === "block") error("Missing required block", (name) => `The block ${name} is required, but missing.`);
    else error("Missing required attribute", (name) => `${name} is required, but not set.`);
    return false;
  }
  if (!entry.configurable) {
    error("Value for a read-only attribute", (name) => `${name} is set by the provider: it cannot be in a configuration.`);
  }
  if (entry.writeOnly && !validation.writeOnlyAllowed) {
    const why = "is write-only, which requires Terraform or OpenTofu 1.11 or later: remove it.";
    error("Write-only attribute not supported", (name) => `${name} ${why}`);
  }
  let hasReadOnlyValue = !entry.configurable;
  if (isUnknownPayload(value.payload)) return hasReadOnlyValue;
  if (!hasEntries(entry)) validateWhole(entry, value, path, sensitive, found);
  else if (validateNested(entry, value, path, sensitive, validation, found)) hasReadOnlyValue = true;
  // Without any block, the configuration has an empty collection.
  const isWritten = entry.kind !== "block" || !isEmpty(value.payload);
  if (entry.deprecated !== undefined && isWritten) {
    const summary = `Deprecated ${entry.kind === "block" ? "block" : "attribute"}`;
    found.push(warningDiagnostic(summary, `${pathText(path)} is deprecated: ${entry.deprecated}`, path));
  }
  return hasReadOnlyValue;
}

function isEmpty(payload: Payload): boolean {
  return payload instanceof Map ? payload.size === 0 : Array.isArray(payload) && payload.length === 0;
}

/** Validates an attribute without entries. */
function validateWhole(entry: EntryShape, value: Value, path: Path, sensitive: boolean, found: PendingDiagnostics): void {
  const { value: seen, problems } = decodeEntry(entry, value, "configDraft");
  for (const problem of problems) {
    const at = [...path, ...problem.path];
    found.push(errorDiagnostic("Invalid value", `${pathText(at)} ${problem.what}.`, at));
  }
  if (problems.length > 0) return;
  validateInside(entry.shape, value.type, value.payload, path, sensitive, found);
  if (isWhollyKnown(value)) runValidators(entry.validators, seen, path, sensitive, found);
}

/** Validates the entries of a nested attribute or block, then its whole value. Returns whether a read-only attribute inside has a value. */
function validateNested(
  entry: EntryShape,
  value: Value,
  path: Path,
  sensitive: boolean,
  validation: WholeValidation,
  found: PendingDiagnostics,
): boolean {
  const body = bodyOf(entry);
  let hasReadOnlyValue = false;
  const object = (whole: Value, at: Path): void => {
    if (validateObject(body, whole, at, sensitive, validation, found)) hasReadOnlyValue = true;
  };
  const element = (payload: Payload, at: Path): void => {
    if (payload === null) found.push(errorDiagnostic("Invalid value", `${pathText(at)} is null, but must not be.`, at));
    else if (!isUnknownPayload(payload)) object(valueOf(body.type, payload), at);
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
      object(value, path);
  }
  if (entry.kind === "block") validateCount(entry, value, path, found);
  if (entry.validators.length === 0 || hasReadOnlyValue || !isWhollyKnown(value)) return hasReadOnlyValue;
  // Run validators only on values of their declared type. Missing parts and values of read-only attributes have been reported already.
  const { value: seen, problems } = decodeEntry(entry, value, "config");
  if (problems.length === 0) runValidators(entry.validators, seen, path, sensitive, found);
  return false;
}

function validateCount(entry: EntryShape, value: Value, path: Path, found: PendingDiagnostics): void {
  if ((entry.nesting !== "list" && entry.nesting !== "set") || !hasContent(value)) return;
  const payloads = value.payload as readonly Payload[];
  // Unknown elements of a set may turn out equal, and a dynamic block may turn out longer.
  const certain = !payloads.some(isUnknownPayload);
  if (certain && payloads.length < entry.minItems) {
    found.push(
      errorDiagnostic(
        "Too few blocks",
        `The number of ${pathText(path)} blocks must be at least ${entry.minItems}, but is ${payloads.length}.`,
        path,
      ),
    );
  }
  if (entry.maxItems > 0 && payloads.length > entry.maxItems) {
    found.push(
      errorDiagnostic(
        "Too many blocks",
        `The number of ${pathText(path)} blocks must be at most ${entry.maxItems}, but is ${payloads.length}.`,
        path,
      ),
    );
  }
}
