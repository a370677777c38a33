// SPDX-License-Identifier: Apache-2.0
import { CtyError } from "./error.ts";
import { goQuote } from "./go-quote.ts";
import { attributeStep, indexStep, type Path } from "./path-step.ts";
import { UNKNOWN } from "./payload.ts";
import { dynamic, isCollectionType, number, string, type Type } from "./type.ts";
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
  const report = (message: string): number => errors.push(new CtyError("CONFORMANCE", message, path));
  if (want === dynamic || given === want) return;
  if (given.kind === "object" && want.kind === "object") {
    for (const name of given.names) if (!want.slots.has(name)) report(`unsupported attribute ${goQuote(name)}`);
    for (const name of want.names) if (!given.slots.has(name)) report(`missing required attribute ${goQuote(name)}`);
    for (const name of want.names) {
      if (given.slots.has(name)) collect(given.attributes[name]!, want.attributes[name]!, [...path, attributeStep(name)], errors);
    }
  } else if (given.kind === "tuple" && want.kind === "tuple") {
    const { length } = want.elements;
    if (given.elements.length !== length) report(`${length} elements are required, but got ${given.elements.length}`);
    else want.elements.forEach((element, index) => collect(given.elements[index]!, element, [...path, indexStep(index)], errors));
  } else if (isCollectionType(given) && isCollectionType(want) && given.kind === want.kind) {
    const keyType = given.kind === "list" ? number : given.kind === "map" ? string : given.element;
    collect(given.element, want.element, [...path, indexStep(valueOf(keyType, UNKNOWN))], errors);
  } else report(`${friendlyName(want)} required, but received ${friendlyName(given)}`);
}
