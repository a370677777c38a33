// SPDX-License-Identifier: Apache-2.0
/** A schema of any library that implements Standard Schema, such as Zod, Valibot and ArkType. @see https://standardschema.dev */
export interface StandardSchema<T> {
  readonly "~standard": {
    readonly version: 1;
    readonly vendor: string;
    readonly validate: (value: unknown) => StandardResult | Promise<StandardResult>;
    readonly types?: { readonly input: T; readonly output: unknown } | undefined;
  };
}

/** The result of a validation, which failed if there are issues. */
export interface StandardResult {
  readonly value?: unknown;
  readonly issues?: readonly StandardIssue[] | undefined;
}

/** One reason why a Standard Schema rejects a value. */
export interface StandardIssue {
  readonly message: string;
  readonly path?: readonly (PropertyKey | { readonly key: PropertyKey })[] | undefined;
}
