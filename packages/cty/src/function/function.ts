// SPDX-License-Identifier: Apache-2.0
import { goString } from "../value.ts";
import { containsMarked, unmarkDeep, withMarks } from "../marks.ts";
import type { Mark } from "../payload.ts";
import { dynamic, type Type } from "../type.ts";
import { testConformance } from "../type-conform.ts";
import { typeGoString } from "../type-names.ts";
import { refine, type Refinements } from "../unknown-refinement.ts";
import { unknown } from "../value-init.ts";
import { isKnown, isNull } from "../value-ops.ts";
import type { Value } from "../value.ts";
import type { Parameter } from "./argument.ts";
import { argumentError, callError, FunctionError, guarded } from "./error.ts";

/** The arguments of a call: one for each parameter, then any number for the variadic one. */
export type Arguments<Params extends readonly Parameter[]> = readonly [...{ readonly [Index in keyof Params]: Value }, ...Value[]];

/** All there is to a function. */
export interface FunctionSpec<Params extends readonly Parameter[] = readonly Parameter[]> {
  readonly description?: string;
  /** Default none. */
  readonly params?: Params;
  /** What any number of further arguments must be; without it there are none. */
  readonly varParam?: Parameter;
  /**
   * The result's type, or how it follows from the arguments. Any of these may be unknown here. {@link dynamic} says that the
   * type cannot be told yet.
   */
  readonly type: Type | ((args: Arguments<Params>) => Type);
  /** What holds of every result, also while it is unknown. */
  readonly refineResult?: Refinements;
  /**
   * The result for the arguments, which are as the parameters say. It must conform to `type`.
   * What it throws ends the call: {@link argumentError} to blame an argument, a CtyError for bad data; anything else counts as
   * a mistake in the function.
   */
  readonly impl: (args: Arguments<Params>, type: Type) => Value;
}

/**
 * A function over values, with go-cty's handling of arguments that are null, unknown, of unknown type or marked.
 *
 * @see go-cty function.Function
 */
export class CtyFunction {
  readonly description: string;
  readonly params: readonly Parameter[];
  /** What further arguments must be; undefined if there cannot be any. */
  readonly varParam: Parameter | undefined;
  readonly #spec: FunctionSpec;

  constructor(spec: FunctionSpec) {
    this.#spec = spec;
    this.description = spec.description ?? "";
    this.params = spec.params ?? [];
    this.varParam = spec.varParam;
  }

  /**
   * Calls the function.
   *
   * @throws FunctionError
   */
  call(args: readonly Value[]): Value {
    const { type, dynamicArgument } = this.#typeOfCall(args);
    let plain = args;
    let isUnknown = dynamicArgument;
    const marks: ReadonlySet<Mark>[] = [];
    for (const [index, value] of args.entries()) {
      const parameter = this.#parameter(index);
      if (!parameter.allowMarked && containsMarked(value)) {
        const [unmarked, found] = unmarkDeep(value);
        plain = plain.with(index, unmarked);
        marks.push(found);
      }
      if (!parameter.allowUnknown && !isKnown(value)) isUnknown = true;
    }
    const result = isUnknown ? withMarks(unknown(type), ...marks) : this.#run(plain, type, marks);
    return dynamicArgument ? result : this.#refined(result);
  }

  /**
   * The type of a call's result, from the types of its arguments.
   *
   * @throws FunctionError
   */
  returnType(types: readonly Type[]): Type {
    return this.returnTypeForValues(types.map((type) => unknown(type)));
  }

  /**
   * The type of a call's result, from arguments of which some may be unknown. It can be more exact than {@link returnType}.
   *
   * @throws FunctionError
   */
  returnTypeForValues(args: readonly Value[]): Type {
    return this.#typeOfCall(args).type;
  }

  /**
   * The same function described in other words: for another language, or another audience. `parameters` has a description for
   * each parameter; that of `varParam`, which comes last, may be left out.
   *
   * @throws TypeError for another number of descriptions.
   */
  withNewDescriptions(description: string, parameters: readonly string[]): CtyFunction {
    const wanted = this.params.length;
    if (parameters.length !== wanted && (this.varParam === undefined || parameters.length !== wanted + 1)) {
      const counts = this.varParam === undefined ? `${wanted}` : `either ${wanted + 1} or ${wanted}`;
      throw new TypeError(`parameters must have length ${counts}, not ${parameters.length}`);
    }
    const last = parameters[wanted];
    return new CtyFunction({
      ...this.#spec,
      description,
      params: this.params.map((parameter, index) => ({ ...parameter, description: parameters[index]! })),
      ...(this.varParam === undefined || last === undefined ? {} : { varParam: { ...this.varParam, description: last } }),
    });
  }

  /** The function with another implementation. */
  withImpl(impl: FunctionSpec["impl"]): CtyFunction {
    return new CtyFunction({ ...this.#spec, impl });
  }

  #parameter(index: number): Parameter {
    return this.params[index] ?? this.varParam!;
  }

  /** Checks the arguments, and asks for the type unless one of them is of unknown type and must not be. */
  #typeOfCall(args: readonly Value[]): { readonly type: Type; readonly dynamicArgument: boolean } {
    this.#checkCount(args.length);
    let plain = args;
    for (const [index, value] of args.entries()) {
      const parameter = this.#parameter(index);
      if (!parameter.allowMarked && containsMarked(value)) plain = plain.with(index, unmarkDeep(value)[0]);
      if (!parameter.allowNull && isNull(value)) throw argumentError(index, "argument must not be null");
      if (value.type !== dynamic) this.#checkType(index, parameter, value);
      else if (!parameter.allowDynamicType) return { type: dynamic, dynamicArgument: true };
    }
    const { type } = this.#spec;
    return { type: typeof type === "function" ? guarded(() => type(plain)) : type, dynamicArgument: false };
  }

  #checkCount(given: number): void {
    const required = this.params.length;
    if (this.varParam === undefined ? given === required : given >= required) return;
    const wanted = this.varParam === undefined ? `${required}` : `at least ${required}`;
    throw callError(`wrong number of arguments (${wanted} required; ${given} given)`);
  }

  #checkType(index: number, parameter: Parameter, value: Value): void {
    if (value.type === parameter.type) return;
    const [first] = testConformance(value.type, parameter.type);
    if (first === undefined) return;
    // go-cty counts further arguments from their own beginning here, and only here.
    const told = index < this.params.length ? index : index - this.params.length;
    throw argumentError(told, first);
  }

  #run(args: readonly Value[], type: Type, marks: readonly ReadonlySet<Mark>[]): Value {
    return guarded(() => {
      const result = withMarks(this.#spec.impl(args, type), ...marks);
      if (result.type === type) return result;
      const [first] = testConformance(result.type, type);
      if (first === undefined) return result;
      const mistake = `returned value ${goString(result)} does not conform to expected return type ${typeGoString(type)}: ${first.message}`;
      throw new FunctionError("FUNCTION_FAULT", mistake, { path: first.path, cause: first });
    });
  }

  #refined(result: Value): Value {
    const { refineResult } = this.#spec;
    if (refineResult === undefined || (result.type === dynamic && !isKnown(result))) return result;
    return guarded(() => refine(result, refineResult));
  }
}

/**
 * Makes a function.
 *
 * @example
 * const twice = defineFunction({ params: [{ name: "x", type: number }], type: number, impl: ([x]) => add(x, x) });
 * twice.call([of(number, 21)])
 * // => cty.NumberIntVal(42)
 */
export function defineFunction<const Params extends readonly Parameter[] = readonly []>(spec: FunctionSpec<Params>): CtyFunction {
  return new CtyFunction(spec as unknown as FunctionSpec);
}
