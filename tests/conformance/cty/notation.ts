// SPDX-License-Identifier: Apache-2.0

/** Anything JSON can hold. */
export type Json = string | number | boolean | null | readonly Json[] | { readonly [name: string]: Json };

/** A type, as go-cty writes it: `"string"`, `["list","string"]`, `["object",{"a":"string"},["a"]]`. */
export type TypeNotation = Json;

/** A payload, as the oracle writes and reads it; tests/peers/cty-oracle/notation.go lists the forms. */
export type PayloadNotation = Json;

/** A number: `x` its exact bits, `n` its text, `p` its precision; what goes to the oracle may leave out one of x and n. */
export interface NumberNotation {
  readonly n?: string;
  readonly p?: number;
  readonly x?: string;
  readonly [name: string]: Json;
}

export interface ValueNotation {
  readonly t: TypeNotation;
  readonly v: PayloadNotation;
  readonly [name: string]: Json;
}

/** `["attr", name]` or `["index", key]`. */
export type StepNotation = readonly ["attr", string] | readonly ["index", ValueNotation];
export type PathNotation = readonly StepNotation[];

/** A question: an operation of the oracle, and what to ask it about. */
export interface Case {
  readonly op: string;
  readonly args: readonly Json[];
}

export interface ErrorNotation {
  readonly msg: string;
  readonly path?: PathNotation;
  /** Position of the function's argument that is wrong. */
  readonly arg?: number;
}

/** What the oracle says of a case. */
export type Answer =
  | { readonly ok: Json }
  | { readonly err: ErrorNotation }
  | { readonly panic: string }
  | { readonly varies: readonly Answer[] }
  /** It was no case: the generator that made it is wrong. */
  | { readonly refused: string }
  /** The oracle's process died of it, or never answered. */
  | { readonly died: string }
  /** It would have taken gigabytes to answer. */
  | { readonly unasked: string };

export type AnswerKind = "ok" | "err" | "panic" | "varies" | "refused" | "died" | "unasked";

export function answerKind(answer: Answer): AnswerKind {
  return Object.keys(answer)[0] as AnswerKind;
}

/** What type a value notation has, by its kind: `string`, `list`, … */
export function kindOf(type: TypeNotation): string {
  return typeof type === "string" ? type : ((type as readonly Json[])[0] as string);
}

/** The special form of a payload: `null`, `unknown`, `marked` or `typed`; undefined for the rest. */
export function specialForm(payload: PayloadNotation): string | undefined {
  return typeof payload === "object" && payload !== null && "$" in payload ? (payload["$"] as string) : undefined;
}
