// SPDX-License-Identifier: Apache-2.0
import { payloadsSame } from "./equality.ts";
import { isNumberPayload, unmarkedPayload } from "../payload/payload.ts";
import { numberText } from "../number/number.ts";
import { goQuote } from "../text/go-quote.ts";
import type { PathStep, Path } from "../model/path.ts";

/** Whether two paths have the same steps. */
export function pathEquals(a: Path, b: Path): boolean {
  return a.length === b.length && pathHasPrefix(a, b);
}

/** Whether the path starts with the steps of `prefix`. */
export function pathHasPrefix(path: Path, prefix: Path): boolean {
  return prefix.length <= path.length && prefix.every((step, index) => stepEquals(path[index]!, step));
}

function stepEquals(a: PathStep, b: PathStep): boolean {
  if (a.kind === "attribute") return b.kind === "attribute" && a.name === b.name;
  return b.kind === "index" && a.key.type === b.key.type && payloadsSame(a.key.type, a.key.payload, b.key.payload);
}

const identifier: RegExp = /^[\p{ID_Start}_][\p{ID_Continue}-]*$/u;

/** Returns the path in readable form: `.rule[0].tags["a"]`. The key of a set's element is `[...]`. */
export function formatPath(path: Path): string {
  return path.map(formatStep).join("");
}

function formatStep(step: PathStep): string {
  if (step.kind === "attribute") return identifier.test(step.name) ? `.${step.name}` : `[${goQuote(step.name)}]`;
  const key = unmarkedPayload(step.key.payload);
  if (typeof key === "string") return `[${goQuote(key)}]`;
  return isNumberPayload(key) ? `[${numberText(key)}]` : "[...]";
}
