// SPDX-License-Identifier: Apache-2.0
import { attributeStep, indexStep, type Path, type PathStep, type Value } from "@tenon/cty";
import { errorDiagnostic } from "@tenon/schema";
import { decode, type View } from "../conversion/decode.ts";
import { encode, type Purpose } from "../conversion/encode.ts";
import { pathText } from "../conversion/problem.ts";
import type { EntryShape, ObjectShape, Shape } from "../schema/shape.ts";
import type { ServerCall } from "./server-call.ts";

/** An attribute as an author names it: its name, or the names, positions and keys on the way to it. */
export type NamedPath = string | readonly (string | number)[];

/** The path of a named attribute. It ends at a set, whose elements have no keys; what the schema does not have is taken as written. */
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

/** What handlers report errors of attributes with. */
export function reporter(shape: ObjectShape, call: ServerCall): (attribute: NamedPath, summary: string, detail?: string) => void {
  return (attribute, summary, detail = "") => {
    const path = pathOf(shape, attribute);
    call.diagnostics.push(errorDiagnostic(summary, detail === "" ? `${pathText(path)}: ${summary}` : detail, path));
  };
}

/** What an author sees of a value; undefined where diagnostics say why it cannot be shown. */
export function shown(shape: ObjectShape, value: Value, view: View, what: string, call: ServerCall): unknown {
  const { value: seen, problems } = decode(shape, value, view);
  if (problems.length === 0) return seen;
  for (const { path, what: problem } of problems) {
    const hint = view === "state" ? " Refresh it first: it was recorded without it." : "";
    call.diagnostics.push(errorDiagnostic(`Invalid ${what}`, `In the ${what}, ${pathText(path)} ${problem}.${hint}`, path));
  }
  return undefined;
}

/** The value of an answer; diagnostics say what is wrong with it, and null stands in those places. */
export function answered(shape: ObjectShape, answer: unknown, purpose: Purpose, who: string, call: ServerCall): Value {
  const { value, problems } = encode(shape, answer, purpose);
  // A password that the provider made itself is one from here on.
  call.secrets.add(shape, value);
  for (const { path, what } of problems) {
    const where = path.length === 0 ? "what it answered" : pathText(path);
    call.diagnostics.push(
      errorDiagnostic("Invalid answer of the provider", `${who}: ${where} ${what}. This is a bug in the provider.`, path),
    );
  }
  return value;
}

/** Whether an entry is worked out by the provider alone, in this configuration. */
export function isLeftToProvider(entry: EntryShape, config: Value): boolean {
  return entry.kind !== "block" && entry.computed && entry.default === undefined && config.payload === null;
}
