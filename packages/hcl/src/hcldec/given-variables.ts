// SPDX-License-Identifier: Apache-2.0
import type { Value } from "@tenon/cty";
import type { Body } from "../body/body.ts";
import { evaluate } from "../evaluate/evaluate.ts";
import type { Scope } from "../syntax/scope.ts";
import { parseJson } from "../json/parse.ts";
import { hasErrors, type Diagnostic } from "../syntax/diagnostic.ts";

/** Variables and the errors of reading them. */
export interface Variables {
  readonly variables: ReadonlyMap<string, Value>;
  readonly diagnostics: readonly Diagnostic[];
}

/** Variables of all `--vars` options: JSON objects, or files of either syntax. The last value of a name is used. */
export function givenVariables(given: readonly string[], load: (path: string) => Body | undefined): Variables {
  const variables = new Map<string, Value>();
  const diagnostics: Diagnostic[] = [];
  for (const [index, one] of given.entries()) {
    const body = one.trim().startsWith("{") ? literalBody(one, index, diagnostics) : load(one);
    const found = body && attributeValues(body, undefined);
    for (const [name, value] of found?.variables ?? []) variables.set(name, value);
    diagnostics.push(...(found?.diagnostics ?? []));
  }
  return { variables, diagnostics };
}

function literalBody(json: string, index: number, diagnostics: Diagnostic[]): Body | undefined {
  const parsed = parseJson(json, `<vars argument ${index}>`);
  diagnostics.push(...parsed.diagnostics);
  return hasErrors(parsed.diagnostics) ? undefined : parsed.body;
}

/** Values of all attributes of a body. */
export function attributeValues(body: Body, scope: Scope | undefined): Variables {
  const { attributes, diagnostics: found } = body.justAttributes();
  const diagnostics = [...found];
  const variables = new Map<string, Value>();
  for (const [name, { expression }] of attributes) {
    const evaluated = evaluate(expression, scope);
    diagnostics.push(...evaluated.diagnostics);
    variables.set(name, evaluated.value);
  }
  return { variables, diagnostics };
}
