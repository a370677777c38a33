// SPDX-License-Identifier: Apache-2.0
import type { AddressedDiagnostic } from "@tenon/engine";
import { formatReferenceSubject, testReferenceOf, type ReferenceSubject } from "@tenon/engine/address";
import type { RunBlock } from "@tenon/engine/unstable/test-files";
import type { Diagnostic, SourceRange } from "@tenon/hcl";

const checkable: ReadonlySet<ReferenceSubject["kind"]> = new Set(["output", "variable", "check", "resourceInstance", "resource"]);

/** Reports expected failures of objects that cannot have conditions. @see OpenTofu configs, TestRun.Validate */
export function validateExpectedFailures({ expectFailures }: RunBlock): readonly Diagnostic[] {
  return expectFailures.flatMap((traversal): readonly Diagnostic[] => {
    const { address, diagnostics } = testReferenceOf(traversal);
    if (address === undefined || checkable.has(address.subject.kind)) return diagnostics;
    const subject = formatReferenceSubject(address.subject);
    const detail = `You cannot expect failures from ${subject}. You can only expect failures from checkable objects such as input variables, output values, check blocks, managed resources and data sources.`;
    return [...diagnostics, { severity: "error", summary: "Invalid `expect_failures` reference", detail, subject: address.range }];
  });
}

/** The conditions that a run block expects to fail. */
export class ExpectedFailures {
  /** By address in the root module. */
  readonly #expected = new Map<string, { readonly range: SourceRange; hasFailed: boolean }>();

  constructor({ expectFailures }: RunBlock) {
    for (const traversal of expectFailures) {
      const { address } = testReferenceOf(traversal);
      if (address !== undefined) this.#expected.set(formatReferenceSubject(address.subject), { range: address.range, hasFailed: false });
    }
  }

  /** Whether a variable is expected to be invalid. */
  expectsVariable(address: string): boolean {
    return this.#expected.has(address);
  }

  /**
   * Removes expected failures from the diagnostics of a plan or an apply, and adds errors about those that are absent. Failed checks that are
   * not expected become errors.
   *
   * @see OpenTofu moduletest, Run.ValidateExpectedFailures
   */
  apply(diagnostics: readonly AddressedDiagnostic[]): readonly AddressedDiagnostic[] {
    const unexpected = diagnostics.flatMap((diagnostic) => this.#unexpected(diagnostic));
    const missing = [...this.#expected]
      .filter(([, { hasFailed }]) => !hasFailed)
      .map(([address, { range }]): AddressedDiagnostic => {
        const detail = `The checkable object, ${address}, was expected to report an error but did not.`;
        return { severity: "error", summary: "Missing expected failure", detail, subject: range };
      });
    return [...unexpected, ...missing];
  }

  /** The diagnostic as a test reports it; none if it is an expected failure. */
  #unexpected(diagnostic: AddressedDiagnostic): readonly AddressedDiagnostic[] {
    const { extra, severity } = diagnostic;
    if (extra?.kind !== "condition") return [diagnostic];
    const { object, address, dataSeverity } = extra;
    if (object !== "check") {
      if (severity === "warning") return [diagnostic];
      return this.#recordFailure(address) || (object === "resource" && this.#recordFailure(withoutKey(address))) ? [] : [diagnostic];
    }
    // Failures of `check` blocks are warnings in a plan, and errors in a test.
    const inTest = { ...diagnostic, severity: dataSeverity ?? "error" };
    return inTest.severity === "error" && this.#recordFailure(address) ? [] : [inTest];
  }

  /** Records the failure of an object. Returns whether it is expected; failures in child modules never are. */
  #recordFailure(address: string): boolean {
    const expected = this.#expected.get(address);
    if (expected === undefined) return false;
    expected.hasFailed = true;
    return true;
  }
}

function withoutKey(address: string): string {
  const start = address.indexOf("[");
  return start === -1 ? address : address.slice(0, start);
}
