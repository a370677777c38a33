// SPDX-License-Identifier: Apache-2.0
import type { Validator } from "../definition/attribute-options.ts";

/** A schema of any library that follows Standard Schema, such as Zod, Valibot and ArkType. @see https://standardschema.dev */
export interface StandardSchema<T> {
  readonly "~standard": {
    readonly version: 1;
    readonly vendor: string;
    readonly validate: (value: unknown) => StandardResult | Promise<StandardResult>;
    readonly types?: { readonly input: T; readonly output: unknown } | undefined;
  };
}

/** What came of it; where there are issues it failed. */
export interface StandardResult {
  readonly value?: unknown;
  readonly issues?: readonly StandardIssue[] | undefined;
}

export interface StandardIssue {
  readonly message: string;
  readonly path?: readonly (PropertyKey | { readonly key: PropertyKey })[] | undefined;
}

/** Whether something is a schema of such a library. */
export function isStandardSchema(candidate: unknown): candidate is StandardSchema<unknown> {
  if ((typeof candidate !== "object" && typeof candidate !== "function") || candidate === null || !("~standard" in candidate)) return false;
  const standard = candidate["~standard"] as Partial<StandardSchema<unknown>["~standard"]> | null;
  return typeof standard?.validate === "function";
}

/** The schema as a validator. It only checks: what it would make of the value is left. One that answers later is waited for. */
export function standardValidator({ "~standard": { validate, vendor } }: StandardSchema<unknown>): Validator<unknown> {
  const judged = ({ issues }: StandardResult): string | undefined =>
    issues === undefined || issues.length === 0 ? undefined : `is not valid: ${issues.map(issueText).join("; ")}`;
  const check = (value: unknown): ReturnType<Validator<unknown>> => {
    const result = validate(value);
    return result instanceof Promise ? result.then(judged) : judged(result);
  };
  return Object.assign(check, { description: `must be what a schema of ${vendor} takes` });
}

function issueText({ message, path = [] }: StandardIssue): string {
  const names = path.map((step) => String(typeof step === "object" ? step.key : step));
  return names.length === 0 ? message : `${names.join(".")}: ${message}`;
}

/** All of them as functions. */
export function compiledValidators(
  written: readonly (Validator<never> | StandardSchema<unknown>)[] | undefined,
): readonly Validator<unknown>[] {
  return (written ?? []).map((one) => (isStandardSchema(one) ? standardValidator(one) : (one as Validator<unknown>)));
}
