// SPDX-License-Identifier: Apache-2.0
import { attributeStep, indexStep } from "./path-step.ts";
import type { PathStep } from "../model/path.ts";
import type { Payload } from "../payload/payload.ts";
import { partType } from "../type/type.ts";
import type { Type } from "../model/type.ts";
import { valueOf } from "./value.ts";

/** A part of a compound value. */
export interface Child {
  /** Path step from the value to the part. */
  readonly step: PathStep;
  readonly type: Type;
  readonly payload: Payload;
}

/** Returns the parts of an unmarked payload in go-cty's order. Primitives, null and unknown values have none. */
export function* childrenOf(type: Type, payload: Payload): Generator<Child, void> {
  const keys = payload instanceof Map ? [...payload.keys()] : undefined;
  const parts: readonly Payload[] = keys ? [...(payload as ReadonlyMap<string, Payload>).values()] : Array.isArray(payload) ? payload : [];
  for (const [index, part] of parts.entries()) {
    const child = partType(type, index);
    yield { step: stepTo(type, child, index, keys, part), type: child, payload: part };
  }
}

function stepTo(type: Type, child: Type, index: number, keys: readonly string[] | undefined, part: Payload): PathStep {
  if (type.kind === "object") return attributeStep(type.names[index]!);
  return indexStep(keys?.[index] ?? (type.kind === "set" ? valueOf(child, part) : index));
}

/** Returns the payload with each direct part replaced; the same payload if none changed. Marked, null and unknown payloads have none. */
export function mapChildPayloads(payload: Payload, change: (child: Payload, index: number) => Payload): Payload {
  if (Array.isArray(payload)) return mapElements(payload as readonly Payload[], change);
  if (!(payload instanceof Map)) return payload;
  const elements: readonly Payload[] = [...(payload as ReadonlyMap<string, Payload>).values()];
  const replacements = mapElements(elements, change);
  return replacements === elements ? payload : new Map(Array.from(payload.keys(), (key: string, index) => [key, replacements[index]!]));
}

function mapElements(elements: readonly Payload[], change: (child: Payload, index: number) => Payload): readonly Payload[] {
  const replacements = elements.map(change);
  return replacements.every((replacement, index) => replacement === elements[index]) ? elements : replacements;
}
