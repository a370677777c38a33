// SPDX-License-Identifier: Apache-2.0
import { CtyError, dynamic, type Type } from "@tenon/cty";
import type { CtyFunction, Parameter } from "@tenon/cty/function";
import { encodeType } from "@tenon/cty/json";

/** A type in cty's JSON notation, parsed: `"string"`, `["list", "number"]`. */
export type TypeJson = string | readonly [string, unknown];

/** How a function is to be called, as the CLIs print it. */
export interface FunctionSignature {
  /** Without its namespace. */
  readonly name: string;
  readonly params: readonly FunctionSignatureParameter[];
  readonly variadic_param?: FunctionSignatureParameter;
  /** As far as it can be told without arguments. */
  readonly return_type: TypeJson;
}

export interface FunctionSignatureParameter {
  readonly name: string;
  readonly type: TypeJson;
}

/** @see OpenTofu jsonentities.DescribeFunction */
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
    // Some functions refuse to be called with just these.
    if (error instanceof CtyError) return dynamic;
    throw error;
  }
}

function describeParameter({ name, type }: Parameter): FunctionSignatureParameter {
  return { name, type: typeJson(type) };
}

/** Capsule types have no notation. */
function typeJson(type: Type): TypeJson {
  try {
    return JSON.parse(encodeType(type)) as TypeJson;
  } catch (error) {
    if (error instanceof CtyError) return "dynamic";
    throw error;
  }
}
