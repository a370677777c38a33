// SPDX-License-Identifier: Apache-2.0
import type { Validator } from "../definition/attribute-options.ts";
import type { StandardIssue, StandardResult, StandardSchema } from "../definition/standard-schema.ts";

/** Whether a value implements Standard Schema. */
export function isStandardSchema(candidate: unknown): candidate is StandardSchema<unknown> {
  if ((typeof candidate !== "object" && typeof candidate !== "function") || candidate === null || !("~standard" in candidate)) return false;
  const standard = candidate["~standard"] as Partial<StandardSchema<unknown>["~standard"]> | null;
  return typeof standard?.validate === "function";
}

/** Converts a Standard Schema to a validator. The validator discards the schema's transformed value, and supports asynchronous schemas. */
export function standardValidator({ "~standard": { validate, vendor } }: StandardSchema<unknown>): Validator<unknown> {
  const judged = ({ issues }: StandardResult): string | undefined =>
    issues === undefined || issues.length === 0 ? undefined : `is not valid: ${issues.map(issueText).join("; ")}`;
  const check = (value: unknown): ReturnType<Validator<unknown>> => {
    const result = validate(value);
    return result instanceof Promise ? result.then(judged) : judged(result);
  };
  return Object.assign(check, { description: `must match a schema of ${vendor}` });
}

function issueText({ message, path = [] }: StandardIssue): string {
  const names = path.map((step) => String(typeof step === "object" ? step.key : step));
  return names.length === 0 ? message : `${names.join(".")}: ${message}`;
}

/** Converts the validators of an attribute or block to functions. */
export function compiledValidators(
  written: readonly (Validator<never> | StandardSchema<unknown>)[] | undefined,
): readonly Validator<unknown>[] {
  return (written ?? []).map((one) => (isStandardSchema(one) ? standardValidator(one) : (one as Validator<unknown>)));
}
