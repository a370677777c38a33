// SPDX-License-Identifier: Apache-2.0
import type { Body, Diagnostic, Expression } from "@tenon/hcl";
import { calledFunctions, variables, type CalledFunction } from "@tenon/hcl/analysis";
import { specFunctions, specVariables, withBlocksForAttributes, type Spec } from "@tenon/hcl/decode";
import { dynamicFunctions, dynamicVariables, expansionFunctions, expansionVariables } from "@tenon/hcl/dynamic-block";
import { rootName, type Traversal } from "@tenon/hcl/syntax";
import { referenceOf, testReferenceOf, type Reference } from "../address/reference.ts";

/** A reference and its traversal in an expression. */
export interface PlacedReference {
  readonly reference: Reference;
  /** The traversal in the expression. */
  readonly traversal: Traversal;
  /** Number of leading steps of the traversal that the looked-up value replaces. */
  readonly steps: number;
}

/** The place of a looked-up value in an expression. */
export interface Place {
  readonly position: number;
  readonly steps: number;
}

/** The references of an expression or a body. */
export interface References {
  readonly references: readonly PlacedReference[];
  /** For each traversal, the index of its reference in `references`, and the number of steps that the looked-up value replaces. */
  readonly places: ReadonlyMap<Traversal, Place>;
  /** Calls of provider functions. */
  readonly providerFunctions: readonly Reference[];
  /** Errors about traversals that are not valid references. */
  readonly diagnostics: readonly Diagnostic[];
}

const ofExpressions = new WeakMap<Expression, References>();
const ofRules = new WeakMap<Expression, References>();
const ofBodies = new WeakMap<Body, References>();

/** The references of an expression. The result is cached. */
export function referencesOf(expression: Expression): References {
  let references = ofExpressions.get(expression);
  if (references === undefined) {
    ofExpressions.set(expression, (references = collect(variables(expression), calledFunctions(expression))));
  }
  return references;
}

/** The references of a condition and its message. The result is cached. */
export function referencesOfRule(condition: Expression, message: Expression): References {
  let references = ofRules.get(condition);
  if (references === undefined) {
    references = joined(referencesOf(condition), referencesOf(message));
    ofRules.set(condition, references);
  }
  return references;
}

/** The references of a body that a spec decodes, including those of `dynamic` blocks. The result is cached. */
export function referencesOfBody(body: Body, spec: Spec): References {
  let references = ofBodies.get(body);
  if (references === undefined) {
    const withBlocks = withBlocksForAttributes(spec);
    ofBodies.set(body, (references = collect(dynamicVariables(body, withBlocks), dynamicFunctions(body, withBlocks))));
  }
  return references;
}

/** The references in the arguments of a body's `dynamic` blocks, such as `for_each`, without those in the generated content. */
export function referencesOfExpansion(body: Body, spec: Spec): References {
  const withBlocks = withBlocksForAttributes(spec);
  return collect(expansionVariables(body, withBlocks), expansionFunctions(body, withBlocks));
}

/** The references of a body whose `dynamic` blocks are expanded. */
export function referencesOfExpandedBody(body: Body, spec: Spec): References {
  const withBlocks = withBlocksForAttributes(spec);
  return collect(specVariables(body, withBlocks), specFunctions(body, withBlocks));
}

/** The references of single traversals, such as those of `depends_on`. */
export function referencesOfTraversals(traversals: readonly Traversal[]): References {
  return collect(traversals, []);
}

/** The references of an assertion in a test file, which may also be outputs and checks. */
export function referencesOfAssertion(condition: Expression, message: Expression): References {
  const [first, second] = [condition, message].map((expression) =>
    collect(variables(expression), calledFunctions(expression), testReferenceOf),
  );
  return joined(first!, second!);
}

function joined(first: References, second: References): References {
  const both = [...first.references, ...second.references];
  return {
    references: both,
    places: placesOf(both),
    providerFunctions: [...first.providerFunctions, ...second.providerFunctions],
    diagnostics: [...first.diagnostics, ...second.diagnostics],
  };
}

function collect(traversals: readonly Traversal[], functions: readonly CalledFunction[], parse = referenceOf): References {
  const references: PlacedReference[] = [];
  const providerFunctions: Reference[] = [];
  const diagnostics: Diagnostic[] = [];
  for (const traversal of traversals) {
    const parsed = parse(traversal);
    diagnostics.push(...parsed.diagnostics);
    if (parsed.address !== undefined) references.push({ reference: parsed.address, traversal, steps: stepsOf(parsed.address, traversal) });
  }
  for (const { name, range } of functions) {
    if (!name.startsWith("provider::")) continue;
    const parsed = referenceOf([{ kind: "root", name, range }]);
    diagnostics.push(...parsed.diagnostics);
    if (parsed.address !== undefined) providerFunctions.push(parsed.address);
  }
  return { references, places: placesOf(references), providerFunctions, diagnostics };
}

function placesOf(references: readonly PlacedReference[]): ReadonlyMap<Traversal, Place> {
  return new Map(references.map(({ traversal, steps }, position) => [traversal, { position, steps }]));
}

/** Number of steps that a lookup replaces. Resources and modules are looked up as a whole, and an index is applied to the value. */
function stepsOf({ subject }: Reference, traversal: Traversal): number {
  switch (subject.kind) {
    case "self":
      return 1;
    case "resource":
    case "resourceInstance": {
      const root = rootName(traversal);
      return root === "data" || root === "ephemeral" || root === "resource" ? 3 : 2;
    }
    default:
      return 2;
  }
}
