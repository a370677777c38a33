// SPDX-License-Identifier: Apache-2.0
import { attr, type Attribute } from "../definition/attribute.ts";
import { block, type Block } from "../definition/block.ts";
import { nested, type NestedAttribute } from "../definition/nested-attribute.ts";
import { validator } from "../validators/validator.ts";
import { milliseconds } from "./duration.ts";
import { SdkError } from "../error.ts";

type Limits<N extends string> = { readonly [Operation in N]: Attribute<string, "optional"> };

/** How long operations may take, as a practitioner says it; null where nothing is said. */
export type SaidTimeouts<N extends string> = Partial<Readonly<Record<N, string | symbol | null>>> | null | undefined;

/** See {@link timeouts}. */
export interface Timeouts<N extends string> {
  /** For a schema: `timeouts = { create = "20m" }`. Protocol 6 only. */
  readonly attribute: NestedAttribute<"single", Limits<N>, "optional">;
  /** For a schema: `timeouts { create = "20m" }`, as providers that exist already have it. */
  readonly block: Block<"single", Limits<N>, "optional">;
  /** How long the operation may take: what the practitioner says, or the default. */
  readonly milliseconds: (said: SaidTimeouts<N>, operation: N) => number;
  /** Aborts when the operation has taken too long, and when `signal` does. The reason says which timeout was meant. */
  readonly signal: (said: SaidTimeouts<N>, operation: N, signal: AbortSignal) => AbortSignal;
}

/**
 * Time limits of operations that a practitioner can change, with their defaults.
 *
 * @throws SdkError `INVALID_DEFINITION` for a default that is no duration.
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
      throw new SdkError("INVALID_DEFINITION", `timeouts: the default of ${operation} is no duration: ${usual}`);
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
  const lasts = (said: SaidTimeouts<N>, operation: N): number => {
    const text = said?.[operation];
    return milliseconds(typeof text === "string" ? text : defaults[operation]!)!;
  };
  return {
    attribute: nested.single(limits as never, { optional: true, description }) as never,
    block: block.single(limits as never, { description } as never) as never,
    milliseconds: lasts,
    signal: (said, operation, signal) => AbortSignal.any([signal, timer(lasts(said, operation), operation)]),
  };
}

/** The longest a timer of JavaScript can wait. */
const longest = 2 ** 31 - 1;

function timer(lasts: number, operation: string): AbortSignal {
  const controller = new AbortController();
  const reason = new Error(`${operation} took longer than ${lasts / 1000} s: raise its limit in timeouts, or find out what it waits for`);
  // What takes weeks is not what a time limit is for.
  setTimeout(() => controller.abort(reason), Math.min(lasts, longest)).unref();
  return controller.signal;
}
