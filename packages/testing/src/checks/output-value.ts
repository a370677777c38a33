// SPDX-License-Identifier: Apache-2.0
import { type CallSite, callSite } from "../call-site.ts";
import type { ChangeDocument, PlanDocument } from "../documents/plan-document.ts";
import { isMarked, valueAt, type ValuePath } from "../documents/value-path.ts";
import type { Expected } from "../known-value/known-value.ts";
import { nullExact } from "../known-value/scalar.ts";
import type { CheckOutcome, PlanCheck, StateCheck } from "./check.ts";
import { compareWithExpected } from "./mismatch-text.ts";
import { placeOf } from "./resource-value.ts";

/** Checks the value of an output of the root module, in a plan or in a state. */
export function expectKnownOutputValue(name: string, expected: Expected): PlanCheck & StateCheck {
  return knownOutput("expectKnownOutputValue", callSite(expectKnownOutputValue), name, [], expected);
}

/** Checks a part of the value of an output, in a plan or in a state. */
export function expectKnownOutputValueAtPath(name: string, path: ValuePath, expected: Expected): PlanCheck & StateCheck {
  return knownOutput("expectKnownOutputValueAtPath", callSite(expectKnownOutputValueAtPath), name, path, expected);
}

/** Checks that the planned value of an output is unknown until the apply. */
export function expectUnknownOutputValue(name: string): PlanCheck {
  return unknownOutput("expectUnknownOutputValue", callSite(expectUnknownOutputValue), name, []);
}

/** Checks that a part of the planned value of an output is unknown until the apply. */
export function expectUnknownOutputValueAtPath(name: string, path: ValuePath): PlanCheck {
  return unknownOutput("expectUnknownOutputValueAtPath", callSite(expectUnknownOutputValueAtPath), name, path);
}

/** Checks that the planned value of an output is null. */
export function expectNullOutputValue(name: string): PlanCheck {
  return nullOutput("expectNullOutputValue", callSite(expectNullOutputValue), name, []);
}

/** Checks that a part of the planned value of an output is null. */
export function expectNullOutputValueAtPath(name: string, path: ValuePath): PlanCheck {
  return nullOutput("expectNullOutputValueAtPath", callSite(expectNullOutputValueAtPath), name, path);
}

function knownOutput(check: string, site: CallSite, output: string, path: ValuePath, expected: Expected): PlanCheck & StateCheck {
  return {
    name: check,
    site,
    checkPlan: (plan) => inPlan(plan, output, (change) => knownInPlan(change, output, path, expected)),
    checkState: ({ values }) => {
      const found = values?.outputs?.[output];
      if (found === undefined) return `the state has no output ${output}: it has ${listed(Object.keys(values?.outputs ?? {}))}`;
      return compareWithExpected(
        { subject: `output.${output}`, path, actual: valueAt(found.value, path), sensitive: found.sensitive },
        expected,
      );
    },
  };
}

function knownInPlan(change: ChangeDocument, output: string, path: ValuePath, expected: Expected): CheckOutcome {
  if (isMarked(change.after_unknown, path)) return `${outputPlace(output, path)} must be known in the plan, but is unknown`;
  const { after, after_sensitive: sensitive } = change;
  return compareWithExpected({ subject: `output.${output}`, path, actual: valueAt(after, path), sensitive }, expected);
}

function unknownOutput(check: string, site: CallSite, output: string, path: ValuePath): PlanCheck {
  return {
    name: check,
    site,
    checkPlan: (plan) =>
      inPlan(plan, output, (change) =>
        isMarked(change.after_unknown, path) ? undefined : `${outputPlace(output, path)} must be unknown in the plan, but is known`,
      ),
  };
}

function nullOutput(check: string, site: CallSite, output: string, path: ValuePath): PlanCheck {
  return { name: check, site, checkPlan: (plan) => inPlan(plan, output, (change) => knownInPlan(change, output, path, nullExact())) };
}

function inPlan(plan: PlanDocument, output: string, check: (change: ChangeDocument) => CheckOutcome): CheckOutcome {
  const change = plan.output_changes?.[output];
  if (change === undefined) return `the plan has no output ${output}: it has ${listed(Object.keys(plan.output_changes ?? {}))}`;
  return check(change);
}

function outputPlace(output: string, path: ValuePath): string {
  return typeof path === "object" && path.length === 0 ? `output.${output}` : placeOf(`output.${output}`, path);
}

function listed(names: readonly string[]): string {
  return names.length === 0 ? "none" : names.join(", ");
}
