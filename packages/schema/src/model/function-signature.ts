// SPDX-License-Identifier: Apache-2.0
import type { Type } from "@tenon/cty";
import type { DescriptionKind } from "./schema.ts";

/** Parameters and result of a provider function. */
export interface FunctionSignature {
  readonly parameters: readonly FunctionParameter[];
  /** Parameter of every argument beyond `parameters`; absent when the function accepts no further arguments. */
  readonly variadicParameter?: FunctionParameter;
  readonly returnType: Type;
  readonly summary: string;
  readonly description: string;
  readonly descriptionKind: DescriptionKind;
  /** Message about the deprecation; empty when the function is not deprecated. */
  readonly deprecationMessage: string;
}

/** Parameter of a provider function. */
export interface FunctionParameter {
  readonly name: string;
  readonly type: Type;
  /** Whether an argument may be null. Otherwise, a null argument is an error, and the provider is not called. */
  readonly allowNullValue: boolean;
  /** Whether an argument may contain unknown values. Otherwise, such a call has an unknown result, and the provider is not called. */
  readonly allowUnknownValues: boolean;
  readonly description: string;
  readonly descriptionKind: DescriptionKind;
}
