// SPDX-License-Identifier: Apache-2.0
import { goQuote } from "@tenon/cty/unstable/payload";
import type { Difference, DifferenceAction } from "../difference.ts";
import { grouped, type DifferenceStyle } from "./difference-style.ts";

const identifier = /^[\p{ID_Start}_][\p{ID_Continue}-]*$/u;

/** Context in which a part of a difference is rendered. */
export interface Rendering {
  readonly style: DifferenceStyle;
  readonly showSensitive: boolean;
  readonly showUnchanged: boolean;
  /** Whether parts have signs. */
  readonly showSigns: boolean;
  /** Whether the note about replacement is also after the value before, where the value after is unknown. */
  readonly repeatReplacementNote: boolean;
  /** Whether `-> null` after a deleted value is left out. */
  readonly isNullImplied: boolean;
  /** Whether a change here forces a replacement because of the value around it. */
  readonly forcesReplacement: boolean;
  /** Renders any difference, such as the value of JSON text. */
  readonly renderValue: (difference: Difference, depth: number, rendering: Rendering) => string;
}

/** Action that a sign stands for. A replacement deletes first, creates first, or forgets the old object. */
export type ChangeSign = DifferenceAction | "deleteThenCreate" | "createThenDelete" | "forget" | "forgetThenCreate" | "read";

/** Returns the sign of an action on a part: three characters and a space, or nothing where parts have no signs. */
export function sign(action: ChangeSign, { style, showSigns }: Rendering): string {
  return showSigns ? signOfWhole(action, style) : "";
}

/** Returns the sign of the action on a whole resource. */
export function signOfWhole(action: ChangeSign, style: DifferenceStyle): string {
  let ofStyle = knownSigns.get(style);
  if (ofStyle === undefined) knownSigns.set(style, (ofStyle = new Map()));
  let text = ofStyle.get(action);
  if (text === undefined) ofStyle.set(action, (text = `${grouped(symbolOf(action, style), style)} `));
  return text;
}

const knownSigns = new WeakMap<DifferenceStyle, Map<ChangeSign, string>>();

function symbolOf(action: ChangeSign, style: DifferenceStyle): string {
  switch (action) {
    case "create":
      return `  ${style.created("+")}`;
    case "delete":
      return `  ${style.deleted("-")}`;
    case "update":
      return `  ${style.updated("~")}`;
    case "deleteThenCreate":
      return `${style.deleted("-")}/${style.created("+")}`;
    case "createThenDelete":
      return `${style.created("+")}/${style.deleted("-")}`;
    case "forget":
      return `  ${style.deleted(".")}`;
    case "forgetThenCreate":
      return `  ${style.deleted(".")}/${style.created("+")}`;
    case "read":
      return ` ${readSign(style)}`;
    default:
      return "   ";
  }
}

function readSign(style: DifferenceStyle): string {
  return style.read?.("<=") ?? style.updated("<=");
}

/** Returns the arrow between two values. */
export function arrow(style: DifferenceStyle): string {
  return grouped(style.updated("->"), style);
}

/** Returns the note that a deleted value becomes null. */
export function becomesNull(style: DifferenceStyle): string {
  return grouped(` ${style.faint("-> null")}`, style);
}

/** Returns the note that a change forces a replacement. */
export function forcesReplacement(style: DifferenceStyle): string {
  return grouped(` ${style.deleted("# forces replacement")}`, style);
}

const indents: readonly string[] = Array.from({ length: 16 }, (_, depth) => "    ".repeat(depth));

/** Returns the indentation of a depth. */
export function indent(depth: number): string {
  return indents[depth] ?? "    ".repeat(depth);
}

/** Returns a name as it is written in a configuration: bare if possible, otherwise quoted. */
export function attributeName(name: string): string {
  if (bareNames.has(name)) return name;
  if (!identifier.test(name)) return quoted(name);
  if (bareNames.size < maximumBareNames) bareNames.add(name);
  return name;
}

/** Names that are written bare, since the attributes of a schema are rendered for each of its objects. */
const bareNames = new Set<string>();
const maximumBareNames = 4096;

/** Returns a text in quotes, in the format of Go's `%q`. */
export function quoted(text: string): string {
  return goQuote(text);
}
