// SPDX-License-Identifier: Apache-2.0
import { goString, of, string } from "@tenon/cty";
import type { Difference, DifferenceAction } from "./difference.ts";
import type { DifferenceStyle } from "./difference-style.ts";

/** How a part of a difference is written, which depends on what is around it. */
export interface Rendering {
  readonly style: DifferenceStyle;
  readonly showSensitive: boolean;
  readonly showUnchanged: boolean;
  /** That something deleted becomes null goes without saying. */
  readonly isNullImplied: boolean;
  /** What is around says that a change here forces a replacement. */
  readonly forcesReplacement: boolean;
  /** Writes any difference: passed on, as what is written within text may be any value. */
  readonly renderValue: (difference: Difference, depth: number, rendering: Rendering) => string;
}

/** What a sign stands for: a replacement deletes first, or creates first. */
export type ChangeSign = DifferenceAction | "deleteThenCreate" | "createThenDelete" | "read";

/** The sign of an action, three characters wide and a space. */
export function sign(action: ChangeSign, { style }: Rendering): string {
  switch (action) {
    case "create":
      return `  ${style.created("+")} `;
    case "delete":
      return `  ${style.deleted("-")} `;
    case "update":
      return `  ${style.updated("~")} `;
    case "deleteThenCreate":
      return `${style.deleted("-")}/${style.created("+")} `;
    case "createThenDelete":
      return `${style.created("+")}/${style.deleted("-")} `;
    case "read":
      return ` ${style.updated("<=")} `;
    default:
      return "    ";
  }
}

export function indent(depth: number): string {
  return "    ".repeat(depth);
}

/** A name as it stands in configuration: bare where it can be, else quoted. */
export function attributeName(name: string): string {
  return /^[\p{ID_Start}_][\p{ID_Continue}-]*$/u.test(name) ? name : quoted(name);
}

/** Text between quotes, as Go's `%q` writes it. */
export function quoted(text: string): string {
  return goString(of(string, text)).slice("cty.StringVal(".length, -1);
}
