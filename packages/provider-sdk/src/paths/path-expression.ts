// SPDX-License-Identifier: Apache-2.0
import { formatPath, type Path, type PathStep } from "@tenon/cty";

/** A step of an expression: one that a path has, any element of a collection, or back to what is around. */
export type ExpressionStep =
  | { readonly kind: "attribute"; readonly name: string }
  | { readonly kind: "index"; readonly index: number }
  | { readonly kind: "key"; readonly key: string }
  | { readonly kind: "anyIndex" | "anyKey" | "anyElement" | "parent" }
  /** A step of a path that is followed as it is. */
  | { readonly kind: "exact"; readonly step: PathStep };

/**
 * Names places in a value, also several at once and also above the place it is used at: {@link here} and {@link fromRoot} begin one.
 *
 * @example
 * String(fromRoot("rule").anyIndex().at("from"))
 * // => "rule[*].from"
 */
export class PathExpression {
  /** For the SDK. */
  readonly steps: readonly ExpressionStep[];
  /** It begins at the root, wherever it is used. */
  readonly isFromRoot: boolean;

  constructor(steps: readonly ExpressionStep[], isFromRoot: boolean) {
    this.steps = steps;
    this.isFromRoot = isFromRoot;
  }

  /** An attribute or block of an object. */
  at(name: string): PathExpression {
    return this.#with({ kind: "attribute", name });
  }

  /** An element of a list, by its position. */
  atIndex(index: number): PathExpression {
    return this.#with({ kind: "index", index });
  }

  /** An element of a map. */
  atKey(key: string): PathExpression {
    return this.#with({ kind: "key", key });
  }

  /** Every element of a list. */
  anyIndex(): PathExpression {
    return this.#with({ kind: "anyIndex" });
  }

  /** Every element of a map. */
  anyKey(): PathExpression {
    return this.#with({ kind: "anyKey" });
  }

  /** Every element of a set. */
  anyElement(): PathExpression {
    return this.#with({ kind: "anyElement" });
  }

  /** What is around: an element's collection, an attribute's object. */
  parent(): PathExpression {
    return this.#with({ kind: "parent" });
  }

  /** `rule[*].from`, or `../from` for one that begins where it is used. */
  toString(): string {
    const text = this.steps.map(stepText).join("");
    return (this.isFromRoot ? text.slice(1) : text) || ".";
  }

  #with(step: ExpressionStep): PathExpression {
    return new PathExpression([...this.steps, step], this.isFromRoot);
  }
}

function stepText(step: ExpressionStep): string {
  switch (step.kind) {
    case "attribute":
      return `.${step.name}`;
    case "index":
      return `[${step.index}]`;
    case "key":
      return `[${JSON.stringify(step.key)}]`;
    case "parent":
      return "../";
    case "exact":
      return formatPath([step.step]);
    default:
      return "[*]";
  }
}

/** Where an expression is used: in a rule the object that has the rule, in a plan modifier the attribute. */
export const here: PathExpression = new PathExpression([], false);

/** An attribute or block of the whole configuration. */
export function fromRoot(name: string): PathExpression {
  return new PathExpression([{ kind: "attribute", name }], true);
}

/**
 * The steps from the root, none of which leads back.
 *
 * @throws RangeError where it leads to above the root.
 */
export function resolved(expression: PathExpression, base: readonly ExpressionStep[]): readonly ExpressionStep[] {
  const steps: ExpressionStep[] = expression.isFromRoot ? [] : [...base];
  for (const step of expression.steps) {
    if (step.kind !== "parent") steps.push(step);
    else if (steps.pop() === undefined) throw new RangeError(`the path ${String(expression)} leads to above the root`);
  }
  return steps;
}

/** A path as steps of an expression. */
export function exactSteps(path: Path): readonly ExpressionStep[] {
  return path.map((step) => ({ kind: "exact", step }));
}
