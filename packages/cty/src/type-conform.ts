// SPDX-License-Identifier: Apache-2.0
import { CtyError } from "./error.ts";
import { goQuote } from "./go-quote.ts";
import type { Path } from "./path-step.ts";
import { UNKNOWN } from "./payload.ts";
import { number, string, type ObjectType, type TupleType, type Type } from "./type.ts";
import { friendlyName } from "./type-names.ts";
import { valueOf } from "./value.ts";

/**
 * Every way in which a type does not conform to the wanted one; none if it is the same, {@link dynamic} in the wanted type
 * standing for any type. go-cty's order of attributes is random, here they are sorted.
 *
 * @see go-cty Type.TestConformance
 */
export function testConformance(given: Type, want: Type): CtyError[] {
  const errors: CtyError[] = [];
  collect(given, want, [], errors);
  return errors;
}

/** {@link testConformance} as a plain answer. */
export function conforms(given: Type, want: Type): boolean {
  return given === want || testConformance(given, want).length === 0;
}

function collect(given: Type, want: Type, path: Path, errors: CtyError[]): void {
  if (want.kind === "dynamic" || given === want) return;
  if (given.kind === "object" && want.kind === "object") {
    collectAttributes(given, want, path, errors);
  } else if (given.kind === "tuple" && want.kind === "tuple") {
    collectElements(given, want, path, errors);
  } else if (
    (given.kind === "list" && want.kind === "list") ||
    (given.kind === "set" && want.kind === "set") ||
    (given.kind === "map" && want.kind === "map")
  ) {
    const keyType = given.kind === "list" ? number : given.kind === "map" ? string : given.element;
    collect(given.element, want.element, [...path, { kind: "index", key: valueOf(keyType, UNKNOWN) }], errors);
  } else {
    errors.push(new CtyError("CONFORMANCE", `${friendlyName(want)} required, but received ${friendlyName(given)}`, path));
  }
}

function collectAttributes(given: ObjectType, want: ObjectType, path: Path, errors: CtyError[]): void {
  for (const name of given.names) {
    if (!want.slots.has(name)) errors.push(new CtyError("CONFORMANCE", `unsupported attribute ${goQuote(name)}`, path));
  }
  for (const name of want.names) {
    if (!given.slots.has(name)) errors.push(new CtyError("CONFORMANCE", `missing required attribute ${goQuote(name)}`, path));
  }
  for (const name of want.names) {
    if (given.slots.has(name)) collect(given.attributes[name]!, want.attributes[name]!, [...path, { kind: "attribute", name }], errors);
  }
}

function collectElements(given: TupleType, want: TupleType, path: Path, errors: CtyError[]): void {
  if (given.elements.length !== want.elements.length) {
    const message = `${want.elements.length} elements are required, but got ${given.elements.length}`;
    errors.push(new CtyError("CONFORMANCE", message, path));
    return;
  }
  for (const [index, element] of want.elements.entries()) {
    collect(given.elements[index]!, element, [...path, { kind: "index", key: valueOf(number, index) }], errors);
  }
}
