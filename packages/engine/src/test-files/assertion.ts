// SPDX-License-Identifier: Apache-2.0
import { bool, CtyError, isKnown, isNull, mark, unknown, unmark, dynamic, type Value } from "@tenon/cty";
import { convert } from "@tenon/cty/convert";
import { goQuote } from "@tenon/cty/unstable/payload";
import { hasErrors, type Diagnostic, type Scope } from "@tenon/hcl";
import { evaluate } from "@tenon/hcl/evaluate";
import { didYouMean, nearestName } from "@tenon/hcl/report";
import type { Reference } from "../address/reference.ts";
import type { CheckRule } from "../configuration/check-rule.ts";
import { takeDeprecations } from "../configuration/deprecation.ts";
import { reportError, type Report } from "../configuration/report.ts";
import { conversionText } from "../configuration/value-path.ts";
import { UpstreamError } from "../evaluation/cell.ts";
import { failureMessage, isComplete } from "../evaluation/condition.ts";
import { invalidReference } from "../evaluation/predefined-values.ts";
import { undeclaredValue, validateReference } from "../evaluation/reference-validation.ts";
import { referencesOfAssertion } from "../evaluation/references.ts";
import { EPHEMERAL, SENSITIVE } from "../marks/value-marks.ts";
import { withProviderCalls, type PendingCalls } from "../provider/provider-function.ts";
import type { AssertionWalk } from "./assertion-walk.ts";

/** The result of an assertion. */
export interface AssertionResult {
  /** `error` if the assertion could not be evaluated. */
  readonly status: "pass" | "fail" | "error";
  readonly diagnostics: readonly Diagnostic[];
}

/**
 * Evaluates an assertion of a run block.
 *
 * @param variables The values of `var`, as the test gives them: they are not converted to the types of the variables.
 * @see OpenTofu test_context.go, TestContext.evaluate
 */
export async function evaluateAssertion(
  walk: AssertionWalk,
  rule: CheckRule,
  variables: ReadonlyMap<string, Value>,
): Promise<AssertionResult> {
  const report: Report = [];
  if (!isComplete(rule)) return { status: "error", diagnostics: report };
  const { condition, errorMessage } = rule;
  const pending: PendingCalls = [];
  const scope = await assertionScope(walk, rule, { variables, pending }, report);
  report.push(...walk.report.splice(0));
  const message = await withProviderCalls(pending, () => {
    const diagnostics: Report = [];
    return { text: failureMessage(errorMessage, scope, diagnostics), diagnostics };
  });
  report.push(...message.diagnostics);
  const evaluation = await withProviderCalls(pending, () => evaluate(condition, scope));
  const { value, diagnostics } = takeDeprecations(evaluation.value, condition);
  report.push(...evaluation.diagnostics, ...diagnostics);
  if (hasErrors(report)) return { status: "error", diagnostics: report };
  const resultWith = (status: "fail" | "error", summary: string, detail: string): AssertionResult => {
    report.push({ severity: "error", summary, detail, subject: condition.range, expression: condition, scope });
    return { status, diagnostics: report };
  };
  const [plain] = unmark(value);
  if (isNull(plain))
    return resultWith("error", "Invalid condition run", "Condition expression must return either true or false, not null.");
  if (!isKnown(plain)) return resultWith("error", "Unknown condition run", "Condition expression could not be evaluated at this time.");
  try {
    if (convert(plain, bool).payload === true) return { status: "pass", diagnostics: report };
  } catch (error) {
    if (!(error instanceof CtyError)) throw error;
    return resultWith("error", "Invalid condition run", `Invalid condition run value: ${conversionText(error)}.`);
  }
  return resultWith("fail", "Test assertion failed", message.text);
}

interface AssertionValues {
  readonly variables: ReadonlyMap<string, Value>;
  readonly pending: PendingCalls;
}

/** The scope of an assertion. If a reference is invalid, the scope has functions only. */
async function assertionScope(
  walk: AssertionWalk,
  rule: CheckRule,
  { variables, pending }: AssertionValues,
  report: Report,
): Promise<Scope> {
  const { functions, root } = walk;
  const references = referencesOfAssertion(rule.condition!, rule.errorMessage!);
  report.push(...references.diagnostics);
  const empty: Scope = { functions, variables: new Map() };
  const place = { configuration: root.configuration, hasSelf: false, schemaOf: walk.schemaOf };
  const invalid = references.references.flatMap(({ reference }) => validateReference(reference, place));
  report.push(...invalid);
  if (hasErrors(invalid)) return empty;
  const providerFunctions = await Promise.all(
    references.providerFunctions.map(
      async (reference) => [functionName(reference), await walk.providerFunction(root, reference, pending)] as const,
    ),
  );
  const places = new Map(references.places);
  const values: Value[] = [];
  for (const { reference, traversal } of references.references) {
    // A check has no value: without a place, the evaluation reports its name as an unknown variable.
    if (reference.subject.kind === "check") places.delete(traversal);
    try {
      values.push(await valueOf(walk, reference, variables, report));
    } catch (error) {
      // The errors of the value are in the report of the walk.
      if (!(error instanceof UpstreamError)) throw error;
      values.push(unknown(dynamic));
    }
  }
  return { functions: new Map([...functions, ...providerFunctions]), variables: new Map(), anchors: { places, values } };
}

/** The name of a provider function in a scope: `provider::name::function`, or `provider::name::alias::function`. */
function functionName({ subject }: Reference): string {
  if (subject.kind !== "providerFunction") return "";
  return ["provider", subject.provider, ...(subject.alias === undefined ? [] : [subject.alias]), subject.name].join("::");
}

async function valueOf(walk: AssertionWalk, reference: Reference, variables: ReadonlyMap<string, Value>, report: Report): Promise<Value> {
  const { root } = walk;
  const { subject } = reference;
  const { module } = root.configuration;
  if (subject.kind === "check") {
    const detail = 'The "check" object can only be referenced from an "expect_failures" attribute within a OpenTofu testing "run" block.';
    return invalidReference(report, reference, 'Reference to "check" in invalid context', detail);
  }
  if (subject.kind === "output") {
    if (module.outputs.has(subject.name)) return root.output(subject.name);
    const advice = didYouMean(nearestName(subject.name, module.outputs.keys()));
    const detail = `An output value with the name ${goQuote(subject.name)} has not been declared.${advice}`;
    return invalidReference(report, reference, "Reference to undeclared output value", detail);
  }
  if (subject.kind !== "variable") return root.lookUp(reference, report);
  const value = variables.get(subject.name);
  const variable = module.variables.get(subject.name);
  if (value === undefined) {
    const undeclared = undeclaredValue(reference, root.configuration);
    if (undeclared !== undefined) report.push(undeclared);
    else {
      const detail = `The final value for var.${subject.name} is missing in OpenTofu's evaluation context. This is a bug in OpenTofu; please report it!`;
      reportError(report, "Reference to unresolved input variable", detail, reference.range);
    }
    return unknown(dynamic);
  }
  const sensitive = variable?.sensitive === true ? mark(value, SENSITIVE) : value;
  return variable?.ephemeral === true ? mark(sensitive, EPHEMERAL) : sensitive;
}
