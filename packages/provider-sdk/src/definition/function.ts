// SPDX-License-Identifier: Apache-2.0
import type { Log } from "../logger.ts";
import type { Unknown } from "../unknown.ts";
import type { AnyType } from "./attribute.ts";
import type { NoOthers } from "./attribute-options.ts";
import type { Awaitable } from "./call-context.ts";

export interface ParameterOptions {
  /** What it is for. Markdown. */
  readonly description?: string;
  /** Null is an argument. Default: it is refused before the function is called. */
  readonly allowNull?: true;
  /** Unknown is an argument. Default: the result is unknown, and the function is not called. */
  readonly allowUnknown?: true;
}

/** One parameter of a provider function. */
export interface Parameter<T> {
  readonly type: AnyType;
  readonly options: ParameterOptions;
  /** Type only: its arguments. */
  readonly "~parameter": T;
}

/** Parameters by name, in the order of the call. */
export type Parameters = Readonly<Record<string, Parameter<unknown>>>;

type Argument<E extends AnyType, O> =
  | (O extends { readonly allowUnknown: true } ? E["~type"]["draft"] | Unknown : E["~type"]["known"])
  | (O extends { readonly allowNull: true } ? null : never);

/** A parameter of a type; its arguments are known and not null unless it says otherwise. */
export function parameter<E extends AnyType, O extends ParameterOptions = {}>(
  type: E,
  options?: O & NoOthers<O, ParameterOptions> & ParameterOptions,
): Parameter<Argument<E, O>> {
  // The argument's type exists in the types only.
  return { type, options: options ?? {} } as unknown as Parameter<Argument<E, O>>;
}

/**
 * A provider function: `provider::notebook::slug("…")`. It has no client and must answer the same for the same arguments.
 *
 * A thrown {@link ArgumentError} is reported at its argument; any other error at the call.
 */
export interface FunctionDefinition<P extends Parameters, R extends AnyType, V> {
  /** One line. */
  readonly summary?: string;
  /** What it does. Markdown. */
  readonly description?: string;
  /** Why and what to use instead. */
  readonly deprecated?: string;
  /** In the order of the call. Names that are whole numbers would be reordered by JavaScript and are refused. */
  readonly parameters: P;
  /** Takes any number of further arguments. */
  readonly variadic?: Parameter<V>;
  readonly returns: R;
  readonly call: (args: { readonly [N in keyof P]: P[N]["~parameter"] }, rest: readonly V[]) => Awaitable<R["~type"]["known"]>;
}

/** What a function of a configured provider is given besides its arguments. */
export interface ClientFunctionContext<C> {
  /** What `configure` answered. */
  readonly client: C;
  readonly signal: AbortSignal;
  readonly log: Log;
}

/**
 * A function of a configured provider, which sees its client. Only OpenTofu knows those: it asks a configured provider what other
 * functions it has. Terraform does not see them at all.
 */
export interface ClientFunctionDefinition<C, P extends Parameters, R extends AnyType, V> extends Omit<FunctionDefinition<P, R, V>, "call"> {
  readonly call: (
    args: { readonly [N in keyof P]: P[N]["~parameter"] },
    rest: readonly V[],
    context: ClientFunctionContext<C>,
  ) => Awaitable<R["~type"]["known"]>;
}

const brand = Symbol.for("@tenon/provider-sdk/ArgumentError");

/** Thrown by a function that does not like an argument, so that the practitioner is pointed at it. */
export class ArgumentError extends Error {
  override readonly name = "ArgumentError";
  /** Name of a parameter, or the position of a variadic argument among the variadic ones, from 0. */
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
