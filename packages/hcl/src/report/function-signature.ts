// SPDX-License-Identifier: Apache-2.0
import { CtyError, dynamic, type Type } from "@tenon/cty";
import type { CtyFunction, Parameter } from "@tenon/cty/function";
import { encodeType } from "@tenon/cty/json";

/** A type in cty's JSON notation, parsed: `"string"`, `["list", "number"]`. */
export type TypeJson = string | readonly [string, unknown];

/** Signature of a function in the JSON of the CLIs. */
export interface FunctionSignature {
  /** Name without the namespace. */
  readonly name: string;
  readonly params: readonly FunctionSignatureParameter[];
  readonly variadic_param?: FunctionSignatureParameter;
  /** Return type, as far as it is known without arguments. */
  readonly return_type: TypeJson;
}

/** A parameter of a function in the JSON of the CLIs. */
export interface FunctionSignatureParameter {
  readonly name: string;
  readonly type: TypeJson;
}

/** Describes the signature of a function. @see OpenTofu jsonentities.DescribeFunction */
export function describeFunction(calledAs: string, called: CtyFunction): FunctionSignature {
  const { params, varParam } = called;
  return {
    name: calledAs.split("::").at(-1)!,
    params: params.map(describeParameter),
    ...(varParam && { variadic_param: describeParameter(varParam) }),
    return_type: typeJson(returnType(called)),
  };
}

function returnType(called: CtyFunction): Type {
  const { params, varParam } = called;
  try {
    return called.returnType([...params, ...(varParam ? [varParam] : [])].map(({ type }) => type));
  } catch (error) {
    // Some functions do not accept unknown arguments of these types.
    if (error instanceof CtyError) return dynamic;
    throw error;
  }
}

function describeParameter({ name, type }: Parameter): FunctionSignatureParameter {
  return { name, type: typeJson(type) };
}

/** Type in JSON notation. Capsule types have none, and count as dynamic. */
function typeJson(type: Type): TypeJson {
  try {
    return JSON.parse(encodeType(type)) as TypeJson;
  } catch (error) {
    if (error instanceof CtyError) return "dynamic";
    throw error;
  }
}
