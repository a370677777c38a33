// SPDX-License-Identifier: Apache-2.0
import type { FunctionParameter, FunctionSignature } from "@tenon/schema";
import { objectText, orNull } from "./source-text.ts";
import { valueTypeText } from "./value-type.ts";

/** What a function takes and gives. */
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

/** What there is to say of a function. */
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

/** Labels may be any word, reserved ones too, but nothing else. */
function label({ name }: FunctionParameter): string {
  const word = name.replaceAll(/[^\w$]/g, "_");
  return /^[A-Za-z_$]/.test(word) ? word : `_${word}`;
}
