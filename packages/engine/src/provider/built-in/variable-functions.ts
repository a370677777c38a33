// SPDX-License-Identifier: Apache-2.0
import { dynamic, isNull, isWhollyKnown, objectOf, of, string, type Value } from "@tenon/cty";
import { elements } from "@tenon/cty/operators";
import { formatRange, hasErrors, parseConfig, type Diagnostic } from "@tenon/hcl";
import { nativeBody } from "@tenon/hcl/body";
import { evaluate } from "@tenon/hcl/evaluate";
import { isValidIdentifier } from "@tenon/hcl/scan";
import { format } from "@tenon/hcl/write";
import type { CallFunctionResponse, FunctionSignature } from "@tenon/schema";
import { textOf } from "../../configuration/literal.ts";
import { expressionText } from "../../configuration/value-expression.ts";

/** A function of the built-in provider. */
export interface BuiltInFunction {
  readonly signature: FunctionSignature;
  /** Calls the function with a known argument. */
  call(argument: Value): CallFunctionResponse;
}

function signatureOf(
  parameter: { readonly name: string; readonly type: typeof string | typeof dynamic; readonly description: string },
  returnType: typeof string | typeof dynamic,
  summary: string,
  description: string,
): FunctionSignature {
  return {
    parameters: [{ ...parameter, allowNullValue: false, allowUnknownValues: false, descriptionKind: "plain" }],
    returnType,
    summary,
    description,
    descriptionKind: "plain",
    deprecationMessage: "",
  };
}

const failure = (text: string): CallFunctionResponse => ({ error: { text } });

/** The functions by name. @see OpenTofu internal/builtin/providers/tf, provider_functions.go */
export const builtInFunctions: ReadonlyMap<string, BuiltInFunction> = new Map<string, BuiltInFunction>([
  [
    "decode_tfvars",
    {
      signature: signatureOf(
        { name: "content", type: string, description: "TFVars file content to decode" },
        dynamic,
        "Decode a TFVars file content into an object",
        "provider::terraform::decode_tfvars decodes a TFVars file content into an object",
      ),
      call: (content) => decodeVariables(textOf(content)),
    },
  ],
  [
    "encode_expr",
    {
      signature: signatureOf(
        { name: "expr", type: dynamic, description: "expression to encode" },
        string,
        "Takes an arbitrary expression and converts it into a string with valid OpenTofu syntax",
        "provider::terraform::encode_expr takes an arbitrary expression and converts it into a string with valid OpenTofu syntax",
      ),
      call: (value) =>
        isWhollyKnown(value) ? { result: of(string, format(expressionText(value))) } : failure("input is not wholly known"),
    },
  ],
  [
    "encode_tfvars",
    {
      signature: signatureOf(
        {
          name: "input",
          type: dynamic,
          description: "Input to encode for TFVars file. Must be an object with key that are valid identifiers",
        },
        string,
        "Encode an object into a string with the same format as a TFVars file",
        "provider::terraform::encode_tfvars encodes an object into a string with the same format as a TFVars file",
      ),
      call: encodeVariables,
    },
  ],
]);

function decodeVariables(content: string): CallFunctionResponse {
  const refused = (diagnostics: readonly Diagnostic[]): CallFunctionResponse => {
    const texts = diagnostics
      .filter(({ severity }) => severity === "error")
      .map(({ subject, summary, detail }) => `${subject ? formatRange(subject) : ""}: ${summary}; ${detail}`);
    return failure(["failed to decode tfvars content", ...texts].join("\n"));
  };
  const { body, diagnostics } = parseConfig(content, "", { start: { line: 0, column: 0, byte: 0 }, recovery: "first-error" });
  if (hasErrors(diagnostics)) return refused(diagnostics);
  const { attributes, diagnostics: more } = nativeBody(body).justAttributes();
  if (hasErrors(more)) return refused(more);
  const values = new Map<string, Value>();
  for (const [name, { expression }] of attributes) {
    const evaluated = evaluate(expression);
    if (hasErrors(evaluated.diagnostics)) return refused(evaluated.diagnostics);
    values.set(name, evaluated.value);
  }
  return { result: objectOf(values) };
}

function encodeVariables(value: Value): CallFunctionResponse {
  if (isNull(value)) return failure("invalid input: must not be null");
  if (value.type.kind !== "object") return failure("invalid input: must be an object");
  if (!isWhollyKnown(value)) return failure("invalid input: must be wholly known");
  let text = "";
  for (const [key, element] of elements(value)) {
    const name = textOf(key);
    if (!isValidIdentifier(name)) return failure(`invalid input: object key: ${name} - must be a valid identifier`);
    text += `${name} = ${expressionText(element)}\n`;
  }
  return { result: of(string, format(text)) };
}
