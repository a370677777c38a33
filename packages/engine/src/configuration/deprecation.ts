// SPDX-License-Identifier: Apache-2.0
import { containsMarked, mark, marks, type Value } from "@tenon/cty";
import { wrangleMarks } from "@tenon/cty/paths";
import type { Diagnostic, Expression } from "@tenon/hcl";
import { valuePathText } from "./value-path.ts";

/** Why a value is deprecated. */
export interface DeprecationCause {
  /** Address of the deprecated object: `module.a.b`, `var.c`. */
  readonly by: string;
  /** What its author advises. */
  readonly message: string;
  /** Whether the deprecated object is in a module from outside the configuration, or in one that such a module calls. */
  readonly isFromRemoteModule: boolean;
}

/** Marks a value that comes from a deprecated object. */
export class DeprecationMark {
  readonly cause: DeprecationCause;
  static readonly #known = new WeakMap<object, Map<string, DeprecationMark>>();

  constructor(cause: DeprecationCause) {
    this.cause = cause;
  }

  /** The mark for a cause: the same one for all objects of a block that declares something deprecated. */
  static of(declaration: object, cause: DeprecationCause): DeprecationMark {
    let ofDeclaration = DeprecationMark.#known.get(declaration);
    if (ofDeclaration === undefined) DeprecationMark.#known.set(declaration, (ofDeclaration = new Map()));
    const key = `${cause.isFromRemoteModule} ${cause.by}`;
    let mark = ofDeclaration.get(key);
    if (mark === undefined) ofDeclaration.set(key, (mark = new DeprecationMark(cause)));
    return mark;
  }
}

/**
 * Marks the value as deprecated, unless a mark of the same object is on it.
 *
 * @param declaration The block that declares what is deprecated.
 * @see OpenTofu marks.Deprecated
 */
export function markDeprecated(value: Value, declaration: object, cause: DeprecationCause): Value {
  for (const known of marks(value)) if (known instanceof DeprecationMark && known.cause.by === cause.by) return value;
  return mark(value, DeprecationMark.of(declaration, cause));
}

/**
 * Returns the value without the marks of deprecation, and a warning for each of them.
 *
 * @see OpenTofu marks.ExtractDeprecatedDiagnosticsWithExpr
 */
export function takeDeprecations(
  value: Value,
  expression: Expression,
): { readonly value: Value; readonly diagnostics: readonly Diagnostic[] } {
  if (!containsMarked(value)) return { value, diagnostics: [] };
  const diagnostics: Diagnostic[] = [];
  const plain = wrangleMarks(value, (found, path) => {
    if (!(found instanceof DeprecationMark)) return undefined;
    const { by, message, isFromRemoteModule } = found.cause;
    const attribute = valuePathText(path).replace(/^\./, "");
    const source = attribute === "" ? "This value" : `This value's attribute ${attribute}`;
    const advice = message === "" ? "." : ` with the following message:\n\n${message}`;
    diagnostics.push({
      severity: "warning",
      summary: "Value derived from a deprecated source",
      detail: `${source} is derived from ${by}, which is deprecated${advice}`,
      subject: expression.range,
      expression,
      extra: { kind: "deprecatedSource", by, isFromRemoteModule },
    });
    return "drop";
  });
  return { value: plain, diagnostics };
}
