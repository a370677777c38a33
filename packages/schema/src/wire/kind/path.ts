// SPDX-License-Identifier: Apache-2.0
import { attributeStep, indexStep, number, string, type Path, type PathStep, type Type } from "@tenon/cty";
import { readInteger } from "./scalar.ts";
import type { ShapeOf, Types } from "../types.ts";
import type { Kind } from "./kind.ts";

interface AttributePathWire {
  readonly steps: readonly { readonly selector: Selector | { readonly case: undefined } }[];
}
type Selector = { case: "attributeName" | "elementKeyString"; value: string } | { case: "elementKeyInt"; value: bigint };
/** Path to write. */
export type AttributePathInit = { steps: { selector: Selector }[] };

/** Paths into a value of the given type. The wire has no step into a set: such a path ends before the element. */
export function paths(of: ShapeOf): Kind<readonly Path[], readonly AttributePathWire[], AttributePathInit[]> {
  return {
    needs: "schemas",
    read: (wire) => wire.map(readPath),
    write: (model, types) => model.map((path) => writePath(path, of, types)),
  };
}

/** Reads a path. It ends before a step without a selector, or with a selector of a later protocol. */
export function readPath(wire: AttributePathWire): Path {
  const path: PathStep[] = [];
  for (const { selector } of wire.steps) {
    if (selector.case === "attributeName") path.push(attributeStep(selector.value));
    else if (selector.case === "elementKeyString") path.push(indexStep(selector.value));
    else if (selector.case === "elementKeyInt") path.push(indexStep(readInteger(selector.value)));
    else break;
  }
  return path;
}

/** Writes a path. Without `of`, steps into a set of strings or numbers are written as steps into a map or a list. */
export function writePath(path: Path, of: ShapeOf | undefined, types: Types): AttributePathInit {
  const steps: AttributePathInit["steps"] = [];
  // Most paths have attribute steps only, and need no types.
  let type: Type | undefined = of !== undefined && path.some((step) => step.kind === "index") ? of(types).type : undefined;
  for (const step of path) {
    const selector = type?.kind === "set" ? undefined : selectorOf(step);
    if (selector === undefined) break;
    steps.push({ selector });
    type = type && typeInside(type, step);
  }
  return { steps };
}

function selectorOf(step: PathStep): Selector | undefined {
  if (step.kind === "attribute") return { case: "attributeName", value: step.name };
  const { type, payload } = step.key;
  if (type === string && typeof payload === "string") return { case: "elementKeyString", value: payload };
  if (type === number && Number.isSafeInteger(payload)) return { case: "elementKeyInt", value: BigInt(payload as number) };
  return undefined;
}

function typeInside(type: Type, step: PathStep): Type | undefined {
  switch (type.kind) {
    case "list":
    case "map":
      return type.element;
    case "tuple":
      return step.kind === "index" && typeof step.key.payload === "number" ? type.elements[step.key.payload] : undefined;
    case "object":
      return step.kind === "attribute" ? type.attributes[step.name] : undefined;
    default:
      return undefined;
  }
}
