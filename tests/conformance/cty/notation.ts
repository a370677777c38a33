// SPDX-License-Identifier: Apache-2.0

/** A JSON value. */
export type Json = string | number | boolean | null | readonly Json[] | { readonly [name: string]: Json };

/** A type in go-cty's JSON notation: `"string"`, `["list","string"]`, `["object",{"a":"string"},["a"]]`. */
export type TypeNotation = Json;

/** A payload in the oracle's notation; tests/peers/cty-oracle/notation.go lists the forms. */
export type PayloadNotation = Json;

/** A number: exact bits `x`, text `n`, precision `p`. A request to the oracle may omit x or n. */
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

/** A case: an operation of the oracle and its arguments. */
export interface Case {
  readonly op: string;
  readonly args: readonly Json[];
}

export interface ErrorNotation {
  readonly msg: string;
  readonly path?: PathNotation;
  /** Position of the invalid argument of a function. */
  readonly arg?: number;
}

/** The oracle's result for a case. */
export type OracleResult =
  | { readonly ok: Json }
  | { readonly err: ErrorNotation }
  | { readonly panic: string }
  | { readonly varies: readonly OracleResult[] }
  /** The case is invalid, because of a fault in its generator. */
  | { readonly refused: string }
  /** The case crashed the oracle's process, or timed out. */
  | { readonly died: string }
  /** The oracle skipped the case, because it might allocate gigabytes. */
  | { readonly unasked: string };

export type OracleResultKind = "ok" | "err" | "panic" | "varies" | "refused" | "died" | "unasked";

export function resultKind(answer: OracleResult): OracleResultKind {
  return Object.keys(answer)[0] as OracleResultKind;
}

/** Kind of a type: `string`, `list`, … */
export function kindOf(type: TypeNotation): string {
  return typeof type === "string" ? type : ((type as readonly Json[])[0] as string);
}

/** The special form of a payload: `null`, `unknown`, `marked` or `typed`; undefined for the rest. */
export function specialForm(payload: PayloadNotation): string | undefined {
  return typeof payload === "object" && payload !== null && "$" in payload ? (payload["$"] as string) : undefined;
}
