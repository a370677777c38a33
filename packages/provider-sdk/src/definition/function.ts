// SPDX-License-Identifier: Apache-2.0
import type { Log } from "../logger.ts";
import type { Unknown } from "@tenon/schema";
import type { AnyType } from "./attribute.ts";
import type { FlagIn, KnownOptionsOnly } from "./attribute-options.ts";
import type { Awaitable } from "./call-context.ts";

/** Options of a function's parameter. */
export interface ParameterOptions {
  /** Description for the documentation. Markdown. */
  readonly description?: string;
  /** Accepts null as an argument. Default: null is an error, and the function is not called. */
  readonly allowNull?: boolean;
  /** Accepts an unknown argument. Default: the result is unknown, and the function is not called. */
  readonly allowUnknown?: boolean;
}

/** One parameter of a provider function. */
export interface Parameter<T> {
  readonly type: AnyType;
  readonly options: ParameterOptions;
  /** Type only: the type of its arguments. */
  readonly "~parameter": T;
}

/** Parameters by name, in the order of the call. */
export type Parameters = Readonly<Record<string, Parameter<unknown>>>;

type Argument<E extends AnyType, O> =
  | (true extends FlagIn<O, "allowUnknown"> ? E["~type"]["draft"] | Unknown : E["~type"]["known"])
  | (true extends FlagIn<O, "allowNull"> ? null : never);

/** Defines a parameter of a type. Its arguments are known and not null unless the options allow it. */
export function parameter<E extends AnyType, O extends ParameterOptions = {}>(
  type: E,
  options?: O & KnownOptionsOnly<O, ParameterOptions> & ParameterOptions,
): Parameter<Argument<E, O>> {
  // "~parameter" exists in the types only.
  return { type, options: options ?? {} } as unknown as Parameter<Argument<E, O>>;
}

/**
 * The definition of a provider function: `provider::notebook::slug("…")`. It has no client and must return equal results for equal
 * arguments.
 *
 * A thrown {@link ArgumentError} is reported at its argument, any other error at the call.
 */
export interface FunctionDefinition<P extends Parameters, R extends AnyType, V> {
  /** Summary in one line. */
  readonly summary?: string;
  /** Description for the documentation. Markdown. */
  readonly description?: string;
  /** The reason for the deprecation, and what to use instead. */
  readonly deprecated?: string;
  /** Parameters in the order of the call. Names that are integers are rejected, because JavaScript would reorder them. */
  readonly parameters: P;
  /** The variadic parameter, for any number of further arguments. */
  readonly variadic?: Parameter<V>;
  readonly returns: R;
  readonly call: (args: { readonly [N in keyof P]: P[N]["~parameter"] }, rest: readonly V[]) => Awaitable<R["~type"]["known"]>;
}

/** Context of a client function, besides its arguments. */
export interface ClientFunctionContext<C> {
  /** The client: the result of `configure`. */
  readonly client: C;
  readonly signal: AbortSignal;
  readonly log: Log;
}

/**
 * The definition of a function that uses the client of a configured provider. Only OpenTofu supports such functions: it requests the
 * functions of the configured provider again. Terraform does not list them.
 */
export interface ClientFunctionDefinition<C, P extends Parameters, R extends AnyType, V> extends Omit<FunctionDefinition<P, R, V>, "call"> {
  readonly call: (
    args: { readonly [N in keyof P]: P[N]["~parameter"] },
    rest: readonly V[],
    context: ClientFunctionContext<C>,
  ) => Awaitable<R["~type"]["known"]>;
}

const brand = Symbol.for("@tenon/provider-sdk/ArgumentError");

/** Error about an argument of a function. The diagnostic points at that argument. */
export class ArgumentError extends Error {
  override readonly name = "ArgumentError";
  /** Name of the parameter, or the zero-based index among the variadic arguments. */
  readonly argument: string | number;

  constructor(argument: string | number, message: string, options?: ErrorOptions) {
    super(message, options);
    this.argument = argument;
    Object.defineProperty(this, brand, { value: true });
  }

  static override [Symbol.hasInstance](value: unknown): boolean {
    return typeof value === "object" && value !== null && brand in value;
  }
}
