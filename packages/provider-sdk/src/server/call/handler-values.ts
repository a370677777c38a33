// SPDX-License-Identifier: Apache-2.0
import { attributeStep, indexStep, type Path, type PathStep, type Value } from "@tenon/cty";
import { errorDiagnostic, warningDiagnostic } from "@tenon/schema";
import { decode, type View } from "../../conversion/decode.ts";
import { encode, type Purpose } from "../../conversion/encode.ts";
import { pathText } from "../../conversion/problem.ts";
import { keepExactNumbers } from "../../planning/exact-numbers.ts";
import type { ObjectShape, Shape } from "../../shape/shape.ts";
import type { ServerCall } from "./server-call.ts";

/** An attribute as an author names it: its name, or the names, positions and keys on the way to it. */
export type NamedPath = string | readonly (string | number)[];

/**
 * Returns the path of a named attribute. It ends at a set, whose elements have no keys; names that the schema lacks are kept as written.
 */
export function pathOf(shape: ObjectShape, named: NamedPath): Path {
  const path: PathStep[] = [];
  let at: Shape | undefined = shape;
  for (const part of typeof named === "string" ? [named] : named) {
    if (at?.kind === "set") break;
    if (at?.kind === "object" && typeof part === "string") {
      path.push(attributeStep(part));
      at = at.byName.get(part)?.shape;
    } else {
      path.push(indexStep(part));
      at = at !== undefined && "element" in at ? at.element : undefined;
    }
  }
  return path;
}

/** The functions with which a handler reports errors and warnings. */
export interface Reporters {
  readonly error: (attribute: NamedPath, summary: string, detail?: string) => void;
  readonly warn: (summary: string, detail?: string, attribute?: NamedPath) => void;
}

/** Returns the functions with which a handler reports errors and warnings of a call. */
export function reporters(shape: ObjectShape, call: ServerCall): Reporters {
  return {
    error: (attribute, summary, detail = "") => {
      const path = pathOf(shape, attribute);
      call.diagnostics.push(errorDiagnostic(summary, detail === "" ? `${pathText(path)}: ${summary}` : detail, path));
    },
    warn: (summary, detail = "", attribute = []) => {
      const path = pathOf(shape, attribute);
      call.diagnostics.push(warningDiagnostic(summary, detail, path.length === 0 ? undefined : path));
    },
  };
}

/** The JavaScript value that a handler receives; undefined if the value cannot be converted, which diagnostics report. */
export function decodeView(shape: ObjectShape, value: Value, view: View, what: string, call: ServerCall): unknown {
  const { value: seen, problems } = decode(shape, value, view);
  if (problems.length === 0) return seen;
  for (const { path, what: problem } of problems) {
    const hint = view === "state" ? " Refresh it first: it was recorded without it." : "";
    call.diagnostics.push(errorDiagnostic(`Invalid ${what}`, `In the ${what}, ${pathText(path)} ${problem}.${hint}`, path));
  }
  return undefined;
}

/**
 * Converts a handler's result into a value. Diagnostics report its invalid parts, which become null.
 *
 * @param operation the handler, for the error text: "create of notebook_note".
 * @param seen values that the handler received, whose numbers may be more exact than the doubles in its result.
 */
export function encodeResult(
  shape: ObjectShape,
  result: unknown,
  purpose: Purpose,
  operation: string,
  call: ServerCall,
  seen: readonly Value[] = [],
): Value {
  const { value: encoded, problems } = encode(shape, result, purpose);
  const value = keepExactNumbers(shape, seen, encoded);
  // A password that the provider generated is masked from here on.
  call.secrets.add(shape, value);
  for (const { path, what } of problems) {
    const where = path.length === 0 ? "the result" : pathText(path);
    call.diagnostics.push(
      errorDiagnostic("Invalid result from the provider", `${operation}: ${where} ${what}. This is a bug in the provider.`, path),
    );
  }
  return value;
}
