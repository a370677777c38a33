// SPDX-License-Identifier: Apache-2.0
import { pathEquals, type Path, type Value } from "@tenon/cty";
import { errorDiagnostic, type Diagnostic } from "@tenon/schema";
import { decodeEntry } from "../conversion/decode.ts";
import { encodeEntry } from "../conversion/encode.ts";
import { pathText, problemText } from "../conversion/problem.ts";
import type { AttributeChange } from "../definition/attribute-options.ts";
import { currentLog } from "../observability/current-call.ts";
import { logError } from "../observability/error-stack.ts";
import type { EntryShape } from "../shape/shape.ts";
import { isSame } from "../shape/part.ts";
import type { ChangeParts, ElementChange, WholeChange } from "./change-parts.ts";
import { keepExactNumbers } from "./exact-numbers.ts";
import { relatedChanges } from "./related-changes.ts";

/** The results of plan modifiers besides the planned values. */
export interface Modification {
  /** The change of the whole resource, for modifiers that refer to other attributes. */
  readonly whole: WholeChange;
  readonly diagnostics: Diagnostic[];
  readonly requiresReplace: Path[];
}

/** Runs the plan modifiers of one entry in order, and returns its planned value. */
export function modifyPlanned(
  entry: EntryShape,
  path: Path,
  part: ChangeParts,
  occasion: Pick<AttributeChange<unknown>, "operation" | "isNew">,
  element: ElementChange | undefined,
  modification: Modification,
): Value {
  let planned = part.planned;
  let replace = false;
  const state = decodeEntry(entry, part.prior, "recorded").value;
  const config = entry.configurable ? decodeEntry(entry, part.config, "configDraft").value : null;
  for (const modifier of entry.planModifiers) {
    const seen = decodeEntry(entry, planned, "draft").value;
    try {
      const returned = modifier({
        state,
        planned: seen,
        config,
        ...occasion,
        related: (expression) => relatedChanges(modification.whole, path, expression, element),
        requireReplace: () => void (replace = true),
      });
      planned = plannedValue(
        entry,
        returned,
        [
          [seen, planned],
          [state, part.prior],
          [config, part.config],
        ],
        path,
        modification,
      );
    } catch (error) {
      logError(currentLog(), `The plan modifier of ${pathText(path)} failed`, error);
      modification.diagnostics.push(
        errorDiagnostic(
          "Plan modifier failed",
          `The plan modifier of ${pathText(path)} failed: ${error instanceof Error ? error.message : String(error)}`,
          path,
        ),
      );
    }
  }
  if (replace && occasion.operation === "update" && isChanged(entry, part.prior, planned)) addPath(modification.requiresReplace, path);
  return planned;
}

/**
 * Whether the value changes. In an element that is not recorded yet, the recorded blocks are null, which means the same as an empty
 * collection of blocks; the cores would take the difference for a change.
 */
function isChanged(entry: EntryShape, prior: Value, planned: Value): boolean {
  if (entry.kind === "block" && hasNoBlocks(entry, prior) && hasNoBlocks(entry, planned)) return false;
  return !isSame(planned, prior);
}

/** Whether the value of a block is null, or an empty collection. */
function hasNoBlocks({ nesting }: EntryShape, { payload }: Value): boolean {
  if (payload === null || nesting === "single" || nesting === "group") return payload === null;
  return payload instanceof Map ? payload.size === 0 : Array.isArray(payload) && payload.length === 0;
}

/** Encodes a modifier's result. A value that the modifier received is returned as is, to keep details such as refinements. */
function plannedValue(
  entry: EntryShape,
  returned: unknown,
  known: readonly (readonly [seen: unknown, value: Value])[],
  path: Path,
  modification: Modification,
): Value {
  for (const [seen, value] of known) if (Object.is(seen, returned)) return value;
  const { value, problems } = encodeEntry(entry, returned, "draft");
  for (const problem of problems) {
    const what = problemText({ ...problem, path: [...path, ...problem.path.slice(1)] });
    modification.diagnostics.push(
      errorDiagnostic("Plan modifier returned an invalid value", `${what}. This is a bug in the provider.`, path),
    );
  }
  return keepExactNumbers(
    entry.shape,
    known.map(([, one]) => one),
    value,
  );
}

/** Adds a path unless the list already contains it. */
export function addPath(paths: Path[], path: Path): void {
  if (!paths.some((known) => pathEquals(known, path))) paths.push(path);
}
