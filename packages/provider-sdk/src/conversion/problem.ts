// SPDX-License-Identifier: Apache-2.0
import { formatPath, indexStep, type Path, type PathStep } from "@tenon/cty";
import { valueOf, type Payload } from "@tenon/cty/unstable/payload";
import type { Type } from "@tenon/cty";

/** What keeps a value from being converted. */
export interface Problem {
  readonly path: Path;
  /** The rest of a sentence about what is there: "is null, …". It never quotes a value. */
  readonly what: string;
}

/** The path as messages write it: `rule[0].from`. */
export function pathText(path: Path): string {
  return formatPath(path).replace(/^\./, "");
}

/** Path and problem in one line. */
export function problemText({ path, what }: Problem): string {
  return path.length === 0 ? what : `${pathText(path)} ${what}`;
}

type Crumb = PathStep | number | string | { readonly kind: "element"; readonly type: Type; readonly payload: Payload };

/** The way into a value while it is converted; steps become a path only when there is something to say. */
export class Trail {
  readonly problems: Problem[] = [];
  readonly #crumbs: Crumb[] = [];

  /** Goes into an attribute (a step), a list element (a number) or a map element (a string). */
  enter(step: PathStep | number | string): void {
    this.#crumbs.push(step);
  }

  /** Goes into an element of a set. */
  enterElement(type: Type, payload: Payload): void {
    this.#crumbs.push({ kind: "element", type, payload });
  }

  leave(): void {
    this.#crumbs.pop();
  }

  add(what: string): void {
    this.problems.push({ path: this.path(), what });
  }

  path(): Path {
    return this.#crumbs.map((crumb) => {
      if (typeof crumb !== "object") return indexStep(crumb);
      return crumb.kind === "element" ? indexStep(valueOf(crumb.type, crumb.payload)) : crumb;
    });
  }
}
