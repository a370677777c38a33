// SPDX-License-Identifier: Apache-2.0
import { goString } from "../value/value.ts";
import { containsMarked, unmarkDeep, withMarks } from "../value/marks.ts";
import type { Mark } from "../payload/payload.ts";
import { dynamic } from "../type/type.ts";
import type { Type } from "../model/type.ts";
import { testConformance } from "../value/type-conform.ts";
import { typeGoString } from "../type/type-names.ts";
import { refine, type Refinements } from "../refinement/unknown-refinement.ts";
import { unknown } from "../construction/value-init.ts";
import { isKnown, isNull } from "../equality/value-ops.ts";
import type { Value } from "../model/value.ts";
import type { Parameter } from "./argument.ts";
import { argumentError, callError, FunctionError, guarded } from "./error.ts";

/** The arguments of a call: one for each parameter, then any number for the variadic parameter. */
export type Arguments<Params extends readonly Parameter[]> = readonly [...{ readonly [Index in keyof Params]: Value }, ...Value[]];

/** The definition of a function. */
export interface FunctionSpec<Params extends readonly Parameter[] = readonly Parameter[]> {
  readonly description?: string;
  /** The parameters. Default none. */
  readonly params?: Params;
  /** The variadic parameter, for any number of further arguments. Without it a call has no further arguments. */
  readonly varParam?: Parameter;
  /**
   * The result's type, or a function that returns it. That function may receive unknown arguments. It returns {@link dynamic} if
   * the result's type is not known yet.
   */
  readonly type: Type | ((args: Arguments<Params>) => Type);
  /** Refinements of every result, known or unknown. */
  readonly refineResult?: Refinements;
  /**
   * Returns the result for arguments that match the parameters. The result must conform to `type`. An implementation throws
   * {@link argumentError} to reject an argument, and a CtyError for invalid data. Any other error is reported as a mistake in the
   * function.
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
  /** The variadic parameter; undefined if a call has no further arguments. */
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
   * The type of a call's result, from its arguments, which may be unknown. It can be more exact than that of {@link returnType}.
   *
   * @throws FunctionError
   */
  returnTypeForValues(args: readonly Value[]): Type {
    return this.#typeOfCall(args).type;
  }

  /**
   * The same function with other descriptions, such as in another language. `parameters` has one description for each parameter,
   * and may have one more, for `varParam`.
   *
   * @throws TypeError if the number of descriptions does not match.
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

  /** The same function with another implementation. */
  withImpl(impl: FunctionSpec["impl"]): CtyFunction {
    return new CtyFunction({ ...this.#spec, impl });
  }

  #parameter(index: number): Parameter {
    return this.params[index] ?? this.varParam!;
  }

  /** Checks the arguments, and returns the result's type: dynamic if an argument has an unknown type that its parameter does not allow. */
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
    // Only in this error, go-cty counts the arguments of the variadic parameter from 0.
    const reported = index < this.params.length ? index : index - this.params.length;
    throw argumentError(reported, first);
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
 * Defines a function.
 *
 * @example
 * const twice = defineFunction({ params: [{ name: "x", type: number }], type: number, impl: ([x]) => add(x, x) });
 * twice.call([of(number, 21)])
 * // => cty.NumberIntVal(42)
 */
export function defineFunction<const Params extends readonly Parameter[] = readonly []>(spec: FunctionSpec<Params>): CtyFunction {
  return new CtyFunction(spec as unknown as FunctionSpec);
}
