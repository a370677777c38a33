// SPDX-License-Identifier: Apache-2.0
import { nullOf, type Value } from "@tenon/cty";
import { hasErrors, impliedType, type Attribute } from "@tenon/schema";
import { validateConfig } from "@tenon/schema/lifecycle";
import { formatDiagnostic } from "@tenon/plugin-host";
import { hasContent, mapBlock } from "../generate/body.ts";
import { createRandom } from "../generate/random.ts";
import { typeValue } from "../generate/type-value.ts";
import { completeSettings } from "../generate/value-settings.ts";
import type { LawName } from "./law.ts";
import { textOf, type Trial } from "./trial.ts";

/** Validates the configuration of a case, and faulty ones made from it. Returns whether the configuration is valid. */
export async function checkValidation(trial: Trial, config: Value, unknowns: Value): Promise<boolean> {
  const { type } = trial.subject;
  const diagnostics = await trial.attempt("validation", () => validateConfig(type, config));
  if (diagnostics === undefined) return false;
  const again = await trial.attempt("validation", () => validateConfig(type, config));
  if (again !== undefined && !sameTexts(diagnostics.map(formatDiagnostic), again.map(formatDiagnostic))) {
    trial.violate(
      "repeatable-validation",
      `The second validation differs from the first:\n${textOf(diagnostics)}\nand then:\n${textOf(again)}`,
    );
  }
  if (hasErrors(diagnostics)) {
    const [error] = diagnostics.filter(({ severity }) => severity === "error");
    trial.outcomes.push(`invalid: ${formatDiagnostic(error!).split("\n")[0]!}`);
    return false;
  }
  if (again !== undefined && hasErrors(again)) return false;
  const partly = await trial.attempt("validation of unknown values", () => validateConfig(type, unknowns));
  if (partly !== undefined && hasErrors(partly)) {
    trial.violate("unknown-validates", `The configuration is invalid when some values are unknown:\n${textOf(partly)}`);
  }
  if (!diagnostics.some(({ severity }) => severity === "warning")) checkDeprecation(trial, config);
  await checkFaults(trial, config);
  return true;
}

/** Each fault is an attribute with a value that must be refused. */
async function checkFaults(trial: Trial, config: Value): Promise<void> {
  await checkFault(
    trial,
    config,
    "required-enforced",
    ({ required }) => required,
    "is required and null",
    () => null,
  );
  const isComputedOnly = ({ computed, optional, required }: Attribute): boolean => computed && !optional && !required;
  await checkFault(trial, config, "computed-refused", isComputedOnly, "is computed and set", (attribute) => attribute);
  await checkFault(
    trial,
    config,
    "write-only-refused",
    ({ writeOnly }) => writeOnly,
    "is write-only",
    (attribute) => attribute,
    false,
  );
}

/** Makes a fault at each attribute that passes a test, one at a time. The `value` of the fault is null, or generated. */
async function checkFault(
  trial: Trial,
  config: Value,
  law: LawName,
  test: (attribute: Attribute) => boolean,
  what: string,
  value: (attribute: Attribute) => Attribute | null,
  writeOnlyAttributesAllowed = true,
): Promise<void> {
  const { type, except } = trial.subject;
  const { block } = type.schema;
  if (except.has(law)) return;
  const faults: { readonly at: string; readonly faulty: Value }[] = [];
  const settings = completeSettings({ present: 1 });
  mapBlock(block, config, (part, before, inside) => {
    const { attribute, at } = part;
    if (attribute !== undefined && test(attribute) && !faults.some((known) => known.at === at)) {
      const wrong =
        value(attribute) === null ? nullOf(before.type) : hasContent(before) ? before : typeValue(createRandom(1), part.type, settings);
      let isDone = false;
      const faulty = mapBlock(block, config, (other, present, deeper) => {
        if (other.at !== at || isDone) return deeper();
        isDone = true;
        return wrong;
      });
      if (faulty.type === impliedType(block)) faults.push({ at, faulty });
    }
    return inside();
  });
  for (const { at, faulty } of faults) {
    const clientCapabilities = { deferralAllowed: false, writeOnlyAttributesAllowed };
    const diagnostics = await trial.attempt("validation", () => validateConfig(type, faulty, { clientCapabilities }));
    if (diagnostics !== undefined && !hasErrors(diagnostics))
      trial.violate(law, `Validation accepts a configuration in which ${at} ${what}.`);
  }
}

function checkDeprecation(trial: Trial, config: Value): void {
  const { block } = trial.subject.type.schema;
  if (block.deprecated) return trial.violate("deprecation-warned", "The resource is deprecated, and its validation returns no warning.");
  mapBlock(block, config, ({ attribute, at }, value, inside) => {
    if (attribute?.deprecated && hasContent(value)) {
      trial.violate("deprecation-warned", `${at} is deprecated and set, and validation returns no warning.`);
    }
    return inside();
  });
}

function sameTexts(one: readonly string[], other: readonly string[]): boolean {
  return one.toSorted().join("\n") === other.toSorted().join("\n");
}
