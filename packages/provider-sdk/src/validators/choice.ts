// SPDX-License-Identifier: Apache-2.0
import type { Validator } from "../definition/attribute-options.ts";
import { findingsIn, verdictOf, whenAll } from "./findings.ts";
import type { Verdict } from "../definition/verdict.ts";

type Several<T> = readonly [Validator<T>, ...Validator<T>[]];

/** Requires at least one validator to pass, and reports the warnings of the first one that does. If none passes, reports all errors. */
export function anyOf<T>(...validators: Several<T>): Validator<T> {
  return combined(validators, " or ", (verdicts) => {
    const passing = verdicts.findIndex((verdict) => findingsIn(verdict).errors.length === 0);
    return passing >= 0 ? verdicts[passing] : errorsOf(verdicts);
  });
}

/** {@link anyOf}, but reports the warnings of all validators. */
export function anyOfWithAllWarnings<T>(...validators: Several<T>): Validator<T> {
  return combined(validators, " or ", (verdicts) => {
    const passes = verdicts.some((verdict) => findingsIn(verdict).errors.length === 0);
    const warnings = verdicts.flatMap((verdict) => findingsIn(verdict).warnings);
    return verdictOf(passes ? warnings : [errorsOf(verdicts), ...warnings]);
  });
}

/** Requires all validators to pass. Use it to combine validators into one branch of {@link anyOf}. */
export function allOf<T>(...validators: Several<T>): Validator<T> {
  return combined(validators, " and ", (verdicts) => {
    const all = verdicts.map(findingsIn);
    const errors = all.flatMap((one) => one.errors);
    return verdictOf([...(errors.length === 0 ? [] : [errors.join(", and ")]), ...all.flatMap((one) => one.warnings)]);
  });
}

/** Requires the validator to fail. `what` is the error text if it passes: `not(oneOf(["root"]), "must not be root")`. */
export function not<T>(validator: Validator<T>, what: string): Validator<T> {
  const check = (value: T): ReturnType<Validator<T>> =>
    whenAll([validator(value)], ([verdict]) => (findingsIn(verdict).errors.length > 0 ? undefined : what));
  return Object.assign(check, { description: what });
}

function errorsOf(verdicts: readonly Verdict[]): string {
  return verdicts.flatMap((verdict) => findingsIn(verdict).errors).join(", or ");
}

function combined<T>(validators: Several<T>, between: string, judge: (verdicts: readonly Verdict[]) => Verdict): Validator<T> {
  const check = (value: T): ReturnType<Validator<T>> =>
    whenAll(
      validators.map((one) => one(value)),
      judge,
    );
  return Object.assign(check, { description: validators.map((one) => one.description ?? "must be valid").join(between) });
}
