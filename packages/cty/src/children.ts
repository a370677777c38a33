// SPDX-License-Identifier: Apache-2.0
import type { PathStep } from "./path-step.ts";
import { isUnknownPayload, type Payload } from "./payload.ts";
import { number, string, type Type } from "./type.ts";
import { valueOf } from "./value.ts";

/** A part of a compound value, and the step that leads to it. */
export interface Child {
  readonly step: PathStep;
  readonly type: Type;
  readonly payload: Payload;
}

/** The parts of an unmarked payload in go-cty's order; none for primitives, null and unknown. */
export function* childrenOf(type: Type, payload: Payload): Generator<Child, void> {
  if (payload === null || isUnknownPayload(payload)) return;
  switch (type.kind) {
    case "list":
    case "tuple": {
      let index = 0;
      for (const child of payload as readonly Payload[]) {
        const childType = type.kind === "list" ? type.element : type.elements[index]!;
        yield { step: { kind: "index", key: valueOf(number, index++) }, type: childType, payload: child };
      }
      return;
    }
    case "set":
      for (const child of payload as readonly Payload[]) {
        yield { step: { kind: "index", key: valueOf(type.element, child) }, type: type.element, payload: child };
      }
      return;
    case "map":
      for (const [key, child] of payload as ReadonlyMap<string, Payload>) {
        yield { step: { kind: "index", key: valueOf(string, key) }, type: type.element, payload: child };
      }
      return;
    case "object": {
      const slots = payload as readonly Payload[];
      for (const [index, name] of type.names.entries()) {
        yield { step: { kind: "attribute", name }, type: type.attributes[name]!, payload: slots[index]! };
      }
      return;
    }
    default:
  }
}

/** The payload with every direct child replaced; the same payload if none changed. Marks, null and unknown have no children. */
export function mapChildPayloads(payload: Payload, change: (child: Payload, index: number) => Payload): Payload {
  if (Array.isArray(payload)) return mapElements(payload as readonly Payload[], change);
  if (!(payload instanceof Map)) return payload;
  let changed = false;
  let index = 0;
  const result = new Map<string, Payload>();
  for (const [key, child] of payload as ReadonlyMap<string, Payload>) {
    const replacement = change(child, index++);
    changed ||= replacement !== child;
    result.set(key, replacement);
  }
  return changed ? result : payload;
}

function mapElements(elements: readonly Payload[], change: (child: Payload, index: number) => Payload): readonly Payload[] {
  let result: Payload[] | undefined;
  for (let index = 0; index < elements.length; index++) {
    const child = elements[index]!;
    const replacement = change(child, index);
    if (result === undefined && replacement !== child) result = elements.slice(0, index);
    result?.push(replacement);
  }
  return result ?? elements;
}
