// SPDX-License-Identifier: Apache-2.0
import { number, string } from "../type/type.ts";
import { valueOf } from "./value.ts";
import type { Value } from "../model/value.ts";

import type { PathStep } from "../model/path.ts";

/** Returns the step to an attribute of an object. */
export function attributeStep(name: string): PathStep {
  return { kind: "attribute", name };
}

/** Returns the step to an element: by position, by key, or for a set by the element itself. */
export function indexStep(key: number | string | Value): PathStep {
  if (typeof key === "number") return { kind: "index", key: valueOf(number, key) };
  return { kind: "index", key: typeof key === "string" ? valueOf(string, key) : key };
}
