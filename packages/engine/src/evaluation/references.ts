// SPDX-License-Identifier: Apache-2.0
import type { Body, Diagnostic, Expression } from "@tenon/hcl";
import { calledFunctions, variables, type CalledFunction } from "@tenon/hcl/analysis";
import { specFunctions, specVariables, withBlocksForAttributes, type Spec } from "@tenon/hcl/decode";
import { dynamicFunctions, dynamicVariables, expansionFunctions, expansionVariables } from "@tenon/hcl/dynamic-block";
import { rootName, type Traversal } from "@tenon/hcl/syntax";
import { referenceOf, type Reference } from "../address/reference.ts";

/** A reference at its place in an expression. */
export interface PlacedReference {
  readonly reference: Reference;
  /** As it stands in the expression. */
  readonly traversal: Traversal;
  /** How many steps of the traversal the value that is looked up stands for. */
  readonly steps: number;
}

/** What an expression or a body refers to. */
export interface References {
  readonly references: readonly PlacedReference[];
  /** Calls of functions of providers. */
  readonly providerFunctions: readonly Reference[];
  /** Errors about references that have no meaning. */
  readonly diagnostics: readonly Diagnostic[];
}

const ofExpressions = new WeakMap<Expression, References>();
const ofRules = new WeakMap<Expression, References>();
const ofBodies = new WeakMap<Body, References>();

/** The references of an expression. Found once and kept. */
export function referencesOf(expression: Expression): References {
  let found = ofExpressions.get(expression);
  if (found === undefined) ofExpressions.set(expression, (found = collect(variables(expression), calledFunctions(expression))));
  return found;
}

/** The references of a condition and its message. Found once and kept. */
export function referencesOfRule(condition: Expression, message: Expression): References {
  let found = ofRules.get(condition);
  if (found === undefined) {
    const [first, second] = [referencesOf(condition), referencesOf(message)];
    found = {
      references: [...first.references, ...second.references],
      providerFunctions: [...first.providerFunctions, ...second.providerFunctions],
      diagnostics: [...first.diagnostics, ...second.diagnostics],
    };
    ofRules.set(condition, found);
  }
  return found;
}

/** The references of a body that a spec decodes, those of `dynamic` blocks included. Found once and kept. */
export function referencesOfBody(body: Body, spec: Spec): References {
  let found = ofBodies.get(body);
  if (found === undefined) {
    const withBlocks = withBlocksForAttributes(spec);
    ofBodies.set(body, (found = collect(dynamicVariables(body, withBlocks), dynamicFunctions(body, withBlocks))));
  }
  return found;
}

/** The references of the arguments of a body's `dynamic` blocks: those by which the blocks are generated. */
export function referencesOfExpansion(body: Body, spec: Spec): References {
  const withBlocks = withBlocksForAttributes(spec);
  return collect(expansionVariables(body, withBlocks), expansionFunctions(body, withBlocks));
}

/** The references of a body whose `dynamic` blocks are expanded. */
export function referencesOfExpandedBody(body: Body, spec: Spec): References {
  const withBlocks = withBlocksForAttributes(spec);
  return collect(specVariables(body, withBlocks), specFunctions(body, withBlocks));
}

/** The references of traversals that stand alone, such as those of `depends_on`. */
export function referencesOfTraversals(traversals: readonly Traversal[]): References {
  return collect(traversals, []);
}

function collect(traversals: readonly Traversal[], functions: readonly CalledFunction[]): References {
  const references: PlacedReference[] = [];
  const providerFunctions: Reference[] = [];
  const diagnostics: Diagnostic[] = [];
  for (const traversal of traversals) {
    const parsed = referenceOf(traversal);
    diagnostics.push(...parsed.diagnostics);
    if (parsed.address !== undefined) references.push({ reference: parsed.address, traversal, steps: stepsOf(parsed.address, traversal) });
  }
  for (const { name, range } of functions) {
    if (!name.startsWith("provider::")) continue;
    const parsed = referenceOf([{ kind: "root", name, range }]);
    diagnostics.push(...parsed.diagnostics);
    if (parsed.address !== undefined) providerFunctions.push(parsed.address);
  }
  return { references, providerFunctions, diagnostics };
}

/** Resources and modules are looked up as wholes; an index after them is followed in the value. */
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
