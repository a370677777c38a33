// SPDX-License-Identifier: Apache-2.0
import { pathEquals, type Path, type Value } from "@tenon/cty";
import { errorDiagnostic, type Diagnostic } from "@tenon/schema";
import { decodeEntry } from "../conversion/decode.ts";
import { encodeEntry } from "../conversion/encode.ts";
import { pathText, problemText } from "../conversion/problem.ts";
import type { PlannedChange } from "../definition/attribute-options.ts";
import type { EntryShape } from "../schema/shape.ts";
import { isSame } from "./part.ts";
import { type ElementChange, relatedChanges, type WholeChange } from "./related-changes.ts";
import type { Settled } from "./settle.ts";

/** What plan modifiers did, besides the values they answered. */
export interface Modification {
  /** What modifiers may look at besides their own attribute. */
  readonly whole: WholeChange;
  readonly diagnostics: Diagnostic[];
  readonly requiresReplace: Path[];
}

/** Runs the plan modifiers of one entry, one after the other. */
export function modifyPlanned(
  entry: EntryShape,
  path: Path,
  part: Settled,
  occasion: Pick<PlannedChange<unknown>, "operation" | "isNew">,
  element: ElementChange | undefined,
  result: Modification,
): Value {
  if (entry.planModifiers.length === 0) return part.planned;
  let planned = part.planned;
  let replace = false;
  const state = decodeEntry(entry, part.prior, "recorded").value;
  const config = entry.configurable ? decodeEntry(entry, part.config, "configDraft").value : null;
  for (const modifier of entry.planModifiers) {
    const seen = decodeEntry(entry, planned, "draft").value;
    try {
      const answer = modifier({
        state,
        planned: seen,
        config,
        ...occasion,
        related: (expression) => relatedChanges(result.whole, path, expression, element),
        requireReplace: () => void (replace = true),
      });
      planned = answerValue(
        entry,
        answer,
        [
          [seen, planned],
          [state, part.prior],
          [config, part.config],
        ],
        path,
        result,
      );
    } catch (error) {
      result.diagnostics.push(
        errorDiagnostic(
          "Plan modifier failed",
          `The plan modifier of ${pathText(path)} failed: ${error instanceof Error ? error.message : String(error)}`,
          path,
        ),
      );
    }
  }
  if (replace && occasion.operation === "update" && !isSame(planned, part.prior)) addPath(result.requiresReplace, path);
  return planned;
}

/** The same value goes back as it came: what JavaScript does not see of it, such as refinements, is kept. */
function answerValue(
  entry: EntryShape,
  answer: unknown,
  known: readonly (readonly [seen: unknown, value: Value])[],
  path: Path,
  result: Modification,
): Value {
  for (const [seen, value] of known) if (Object.is(seen, answer)) return value;
  const { value, problems } = encodeEntry(entry, answer, "draft");
  for (const problem of problems) {
    const what = problemText({ ...problem, path: [...path, ...problem.path.slice(1)] });
    result.diagnostics.push(errorDiagnostic("Plan modifier answered something wrong", `${what}. This is a bug in the provider.`, path));
  }
  return value;
}

/** Adds a path that is not there yet. */
export function addPath(paths: Path[], path: Path): void {
  if (!paths.some((known) => pathEquals(known, path))) paths.push(path);
}
