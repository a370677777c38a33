// SPDX-License-Identifier: Apache-2.0
import type { Type } from "@tenon/cty";
import type { DescriptionKind } from "./schema.ts";

/** What a provider function takes and gives. */
export interface FunctionSignature {
  readonly parameters: readonly FunctionParameter[];
  /** Takes every argument beyond `parameters`. */
  readonly variadicParameter?: FunctionParameter;
  readonly returnType: Type;
  readonly summary: string;
  readonly description: string;
  readonly descriptionKind: DescriptionKind;
  /** Empty where the function is not deprecated. */
  readonly deprecationMessage: string;
}

/** One parameter. */
export interface FunctionParameter {
  readonly name: string;
  readonly type: Type;
  /** Without it a null argument is refused before the provider is asked. */
  readonly allowNullValue: boolean;
  /** Without it an argument that is not wholly known makes the result unknown, and the provider is not asked. */
  readonly allowUnknownValues: boolean;
  readonly description: string;
  readonly descriptionKind: DescriptionKind;
}
