// SPDX-License-Identifier: Apache-2.0
import { formatPath, indexStep, type Path, type PathStep } from "@tenon/cty";
import { valueOf, type Payload } from "@tenon/cty/unstable/payload";
import type { Type } from "@tenon/cty";

/** A reason why a value cannot be converted. */
export interface ConversionProblem {
  readonly path: Path;
  /** The rest of a sentence about the value at the path: "is null, …". It never quotes a value. */
  readonly what: string;
}

/** Formats a path for messages: `rule[0].from`. */
export function pathText(path: Path): string {
  return formatPath(path).replace(/^\./, "");
}

/** Formats path and problem in one line. */
export function problemText({ path, what }: ConversionProblem): string {
  return path.length === 0 ? what : `${pathText(path)} ${what}`;
}

type Crumb = PathStep | number | string | { readonly kind: "element"; readonly type: Type; readonly payload: Payload };

/** The current path during a conversion, and its problems. For speed, the steps are converted to a path only for a problem. */
export class Trail {
  readonly problems: ConversionProblem[] = [];
  readonly #crumbs: Crumb[] = [];

  /** Enters an attribute (a step), a list element (a number) or a map element (a string). */
  enter(step: PathStep | number | string): void {
    this.#crumbs.push(step);
  }

  /** Enters an element of a set. */
  enterElement(type: Type, payload: Payload): void {
    this.#crumbs.push({ kind: "element", type, payload });
  }

  /** Leaves the attribute or element that was entered last. */
  leave(): void {
    this.#crumbs.pop();
  }

  /** Adds a problem at the current path. */
  add(what: string): void {
    this.problems.push({ path: this.path(), what });
  }

  /** Returns the current path. */
  path(): Path {
    return this.#crumbs.map((crumb) => {
      if (typeof crumb !== "object") return indexStep(crumb);
      return crumb.kind === "element" ? indexStep(valueOf(crumb.type, crumb.payload)) : crumb;
    });
  }
}
