// SPDX-License-Identifier: Apache-2.0
import { dynamic, tupleOf, type Value } from "@tenon/cty";
import { CtyFunction, FunctionError } from "@tenon/cty/function";
import { expressionList, keywordOf } from "../analysis/static-expression.ts";
import type { Block, Body, BodySchema } from "../body/body.ts";
import { evaluate } from "../evaluate/evaluate.ts";
import { createScope, type Scope } from "../syntax/scope.ts";
import { errorAt, hasErrors, type Diagnostic } from "../syntax/diagnostic.ts";
import type { Expression } from "../syntax/expression.ts";
import { formatRange } from "../syntax/range.ts";

interface UserFunctions {
  readonly functions: ReadonlyMap<string, CtyFunction>;
  /** The body without `function` blocks. */
  readonly remain: Body;
  readonly diagnostics: readonly Diagnostic[];
}

const schema: BodySchema = {
  attributes: [{ name: "params", required: true }, { name: "variadic_param" }, { name: "result", required: true }],
};

/**
 * Reads functions from blocks of the form `function "name" { params = [a, b], variadic_param = c, result = … }`.
 *
 * @param scope Scope of the results, to which the parameters are added.
 * @see go ext/userfunc
 */
export function userFunctions(body: Body, scope: Scope): UserFunctions {
  const { content, diagnostics: found, remain } = body.partialContent({ blocks: [{ type: "function", labelNames: ["name"] }] });
  const diagnostics = [...found];
  const functions = new Map<string, CtyFunction>();
  for (const block of hasErrors(found) ? [] : content.blocks) {
    const defined = userFunction(block, scope, diagnostics);
    if (defined !== undefined) functions.set(block.labels[0]!, defined);
  }
  return { functions, remain, diagnostics };
}

function userFunction({ body }: Block, scope: Scope, diagnostics: Diagnostic[]): CtyFunction | undefined {
  const { content, diagnostics: found } = body.content(schema);
  diagnostics.push(...found);
  if (hasErrors(found)) return undefined;
  const expression = (name: string): Expression | undefined => content.attributes.get(name)?.expression;

  const { list = [], diagnostics: inList } = expressionList(expression("params")!);
  diagnostics.push(...inList);
  if (hasErrors(inList)) return undefined;
  const unnamed = list.find((one) => keywordOf(one) === undefined);
  if (unnamed !== undefined) {
    diagnostics.push(errorAt("Invalid param element", "Each parameter name must be an identifier.", unnamed.range));
    return undefined;
  }
  const variadic = expression("variadic_param");
  const variadicName = variadic && keywordOf(variadic);
  if (variadic !== undefined && variadicName === undefined) {
    diagnostics.push(errorAt("Invalid variadic_param", "The variadic parameter name must be an identifier.", variadic.range));
    return undefined;
  }
  return functionOf(
    list.map((one) => keywordOf(one)!),
    variadicName,
    expression("result")!,
    scope,
  );
}

function functionOf(names: readonly string[], variadicName: string | undefined, result: Expression, scope: Scope): CtyFunction {
  const resultOf = (args: readonly Value[]): Value => {
    const variables = new Map(names.map((name, index) => [name, args[index]!]));
    if (variadicName !== undefined) variables.set(variadicName, tupleOf(args.slice(names.length)));
    const { value, diagnostics } = evaluate(result, createScope({ variables }, scope));
    if (hasErrors(diagnostics)) throw new FunctionError("FUNCTION", textOf(diagnostics));
    return value;
  };
  return new CtyFunction({
    params: names.map((name) => ({ name, type: dynamic })),
    ...(variadicName === undefined ? {} : { varParam: { name: variadicName, type: dynamic } }),
    type: (args) => resultOf(args).type,
    impl: (args) => resultOf(args),
  });
}

/** Diagnostics as one error text. @see go hcl.Diagnostics.Error */
function textOf([first, ...others]: readonly Diagnostic[]): string {
  const { subject, summary, detail } = first!;
  const text = `${subject === undefined ? "" : `${formatRange(subject)}: `}${summary}; ${detail}`;
  return others.length === 0 ? text : `${text}, and ${others.length} other diagnostic(s)`;
}
