// SPDX-License-Identifier: Apache-2.0
import { attr, type Attribute } from "../definition/attribute.ts";
import { block, type Block } from "../definition/block.ts";
import { nested, type NestedAttribute } from "../definition/nested-attribute.ts";
import { validator } from "../validators/validator.ts";
import { milliseconds } from "./duration.ts";
import { SdkError } from "../error.ts";

type Limits<N extends string> = { readonly [Operation in N]: Attribute<string, "optional"> };

/** The value of the `timeouts` attribute or block in a handler: the configured limits; null if none is set. */
export type TimeoutsValue<N extends string> = Partial<Readonly<Record<N, string | symbol | null>>> | null | undefined;

/** See {@link timeouts}. */
export interface Timeouts<N extends string> {
  /** For a schema: `timeouts = { create = "20m" }`. Protocol 6 only. */
  readonly attribute: NestedAttribute<"single", Limits<N>, "optional">;
  /** For a schema: `timeouts { create = "20m" }`, for providers whose schemas already have the block. */
  readonly block: Block<"single", Limits<N>, "optional">;
  /** Returns the limit of the operation: the configured one or the default. */
  readonly milliseconds: (configured: TimeoutsValue<N>, operation: N) => number;
  /** Returns a signal that aborts when the operation exceeds its limit, with a reason that names it, or when `signal` aborts. */
  readonly signal: (configured: TimeoutsValue<N>, operation: N, signal: AbortSignal) => AbortSignal;
}

/**
 * Defines time limits of operations, with their defaults, which the configuration can change.
 *
 * @throws SdkError `INVALID_DEFINITION` for a default that is not a duration above zero.
 *
 * @example
 * const limits = timeouts({ create: "20m", delete: "5m" });
 * limits.milliseconds({ create: "90s" }, "create")
 * // => 90000
 */
export function timeouts<const D extends Readonly<Record<string, string>>>(defaults: D): Timeouts<keyof D & string> {
  type N = keyof D & string;
  const limit = validator('must be a duration above zero, such as "30s" or "1h30m"', (text: string) => (milliseconds(text) ?? 0) > 0);
  for (const [operation, usual] of Object.entries(defaults)) {
    if ((milliseconds(usual) ?? 0) <= 0)
      throw new SdkError("INVALID_DEFINITION", `timeouts: the default of ${operation} is not a duration above zero: ${usual}`);
  }
  const limits = Object.fromEntries(
    Object.entries(defaults).map(([operation, usual]) => [
      operation,
      attr.string({
        optional: true,
        validators: [limit],
        description: `How long ${operation} may take, such as \`30s\` or \`1h30m\`. Default: \`${usual}\`.`,
      }),
    ]),
  ) as unknown as Limits<N>;
  const description = "How long operations may take.";
  const limitOf = (configured: TimeoutsValue<N>, operation: N): number => {
    const text = configured?.[operation];
    return milliseconds(typeof text === "string" ? text : defaults[operation]!)!;
  };
  return {
    attribute: nested.single(limits as never, { optional: true, description }) as never,
    block: block.single(limits as never, { description } as never) as never,
    milliseconds: limitOf,
    signal: (configured, operation, signal) => AbortSignal.any([signal, timer(limitOf(configured, operation), operation)]),
  };
}

/** Maximum delay of a JavaScript timer in milliseconds. */
const maxDelay = 2 ** 31 - 1;

function timer(limit: number, operation: string): AbortSignal {
  const controller = new AbortController();
  const reason = new Error(`${operation} took longer than ${limit / 1000} s: raise its limit in timeouts, or find out what it waits for`);
  // The maximum is over three weeks, longer than any useful limit.
  setTimeout(() => controller.abort(reason), Math.min(limit, maxDelay)).unref();
  return controller.signal;
}
