// SPDX-License-Identifier: Apache-2.0
import type { FunctionParameter, FunctionSignature } from "@tenon/schema";
import { objectText, orNull } from "./source-text.ts";
import { valueTypeText } from "./value-type.ts";

/** The members of a function's type: parameters and result. */
export function functionText({ parameters, variadicParameter, returnType }: FunctionSignature, depth: number): string {
  const fixed = parameters.map((parameter) => `${label(parameter)}: ${parameterText(parameter, depth + 1)}`);
  const variadic = variadicParameter ? [`...${label(variadicParameter)}: (${parameterText(variadicParameter, depth + 1)})[]`] : [];
  return objectText(
    [
      { name: "parameters", optional: false, type: `readonly [${[...fixed, ...variadic].join(", ")}]`, doc: [] },
      { name: "result", optional: false, type: orNull(valueTypeText(returnType, depth + 1)), doc: [] },
    ],
    depth,
  );
}

/** The docstring of a function. */
export function functionDoc({
  summary,
  description,
  parameters,
  variadicParameter,
  deprecationMessage,
}: FunctionSignature): readonly string[] {
  const described = [...parameters, ...(variadicParameter ? [variadicParameter] : [])].filter((parameter) => parameter.description !== "");
  return [
    description === "" ? summary : description,
    described.map((parameter) => `- \`${parameter.name}\`: ${parameter.description.trim().replaceAll(/\s+/g, " ")}`).join("\n"),
    deprecationMessage === "" ? "" : `@deprecated ${deprecationMessage}`,
  ];
}

function parameterText({ type, allowNullValue }: FunctionParameter, depth: number): string {
  const text = valueTypeText(type, depth);
  return allowNullValue ? orNull(text) : text;
}

/** A tuple label for a parameter. It may be any word, also a reserved one. */
function label({ name }: FunctionParameter): string {
  const word = name.replaceAll(/[^\w$]/g, "_");
  return /^[A-Za-z_$]/.test(word) ? word : `_${word}`;
}
