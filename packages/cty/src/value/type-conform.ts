// SPDX-License-Identifier: Apache-2.0
import { CtyError } from "../error/error.ts";
import { goQuote } from "../text/go-quote.ts";
import { attributeStep, indexStep } from "./path-step.ts";
import type { Path } from "../model/path.ts";
import { UNKNOWN } from "../payload/payload.ts";
import { dynamic, isCollectionType, number, string } from "../type/type.ts";
import type { Type } from "../model/type.ts";
import { friendlyName } from "../type/type-names.ts";
import { valueOf } from "./value.ts";

/**
 * Returns an error for each difference between a type and the required type; none if it conforms. {@link dynamic} in the required type
 * matches any type. Attributes are sorted; go-cty's order is random.
 *
 * @see go-cty Type.TestConformance
 */
export function testConformance(given: Type, want: Type): CtyError[] {
  const errors: CtyError[] = [];
  collect(given, want, [], errors);
  return errors;
}

/** Whether a type conforms to the required type; see {@link testConformance}. */
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
