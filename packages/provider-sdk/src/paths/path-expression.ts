// SPDX-License-Identifier: Apache-2.0
import { formatPath, type Path, type PathStep } from "@tenon/cty";

/** A step of a path expression: into an attribute or an element, into all elements, or up to the parent. */
export type ExpressionStep =
  | { readonly kind: "attribute"; readonly name: string }
  | { readonly kind: "index"; readonly index: number }
  | { readonly kind: "key"; readonly key: string }
  | { readonly kind: "anyIndex" | "anyKey" | "anyElement" | "parent" }
  /** A step of a concrete path. */
  | { readonly kind: "exact"; readonly step: PathStep };

/**
 * A path that may match several parts of a value, and may lead up from where it is used. It begins with {@link here} or {@link fromRoot}.
 *
 * @example
 * String(fromRoot("rule").anyIndex().at("from"))
 * // => "rule[*].from"
 */
export class PathExpression {
  /** For the SDK only. */
  readonly steps: readonly ExpressionStep[];
  /** Whether it begins at the root instead of where it is used. */
  readonly isFromRoot: boolean;

  constructor(steps: readonly ExpressionStep[], isFromRoot: boolean) {
    this.steps = steps;
    this.isFromRoot = isFromRoot;
  }

  /** Selects an attribute or block of an object. */
  at(name: string): PathExpression {
    return this.#with({ kind: "attribute", name });
  }

  /** Selects an element of a list by its position. */
  atIndex(index: number): PathExpression {
    return this.#with({ kind: "index", index });
  }

  /** Selects an element of a map by its key. */
  atKey(key: string): PathExpression {
    return this.#with({ kind: "key", key });
  }

  /** Selects every element of a list. */
  anyIndex(): PathExpression {
    return this.#with({ kind: "anyIndex" });
  }

  /** Selects every element of a map. */
  anyKey(): PathExpression {
    return this.#with({ kind: "anyKey" });
  }

  /** Selects every element of a set. */
  anyElement(): PathExpression {
    return this.#with({ kind: "anyElement" });
  }

  /** Selects the parent: the collection of an element, or the object of an attribute. */
  parent(): PathExpression {
    return this.#with({ kind: "parent" });
  }

  /** Formats the expression: `rule[*].from`, or `../from` for a relative one. */
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

/** The start of a relative expression: in a rule the object that the rule belongs to, in a plan modifier the attribute. */
export const here: PathExpression = new PathExpression([], false);

/** Begins an expression at an attribute or block at the root of the configuration. */
export function fromRoot(name: string): PathExpression {
  return new PathExpression([{ kind: "attribute", name }], true);
}

/**
 * Resolves an expression against the position where it is used: returns steps from the root without `parent` steps.
 *
 * @throws RangeError if the expression leads above the root.
 */
export function resolved(expression: PathExpression, base: readonly ExpressionStep[]): readonly ExpressionStep[] {
  const steps: ExpressionStep[] = expression.isFromRoot ? [] : [...base];
  for (const step of expression.steps) {
    if (step.kind !== "parent") steps.push(step);
    else if (steps.pop() === undefined) throw new RangeError(`the path ${String(expression)} leads above the root`);
  }
  return steps;
}

/** Converts a path to steps of an expression. */
export function exactSteps(path: Path): readonly ExpressionStep[] {
  return path.map((step) => ({ kind: "exact", step }));
}
