// SPDX-License-Identifier: Apache-2.0
import { formatPath, isKnown, same, type Path, type Value } from "@tenon/cty";
import { attributeAt, hasErrors, type Block, type Diagnostic } from "@tenon/schema";
import { assertObjectCompatible, formatRuleViolation } from "@tenon/schema/change";
import { isProviderFault } from "@tenon/schema/lifecycle";
import { formatDiagnostic } from "@tenon/plugin-host";
import { attributeOf } from "../generate/body.ts";
import { valueText } from "./configuration-text.ts";
import type { LawName, Violation } from "./law.ts";
import { equalsInLegacySdk } from "./legacy-equality.ts";
import { diagnosticsOf, isCrash } from "./recorded-calls.ts";
import type { LawCase, Subject } from "./subject.ts";

/** One case: the calls of a life, and the laws that they violate. */
export class Trial {
  readonly subject: Subject;
  readonly case: LawCase;
  readonly violations: Violation[] = [];
  /** Names of what was checked, or of why a part of the life did not happen. */
  readonly outcomes: string[] = [];
  /** Whether the provider accepts the configuration of the new object. */
  isValid = false;
  /** Whether the changed configuration is in use. */
  isChanged = false;
  /** Whether the prior object is made up: the provider never returned its values, and may refuse them. */
  isPriorMadeUp = false;
  /** Whether the provider is on terraform-plugin-sdk, in whose states null and the zero value of a type mean the same. */
  isLegacy = false;
  /** Whether a call was not answered. */
  hasCrashed = false;

  constructor(subject: Subject, of: LawCase) {
    this.subject = subject;
    this.case = of;
  }

  /** Adds a violation, once for each law. */
  violate(law: LawName, text: string): void {
    if (this.subject.except.has(law) || this.hasViolated(law)) return;
    this.violations.push({ law, text, isChange: this.isChanged });
  }

  /** Whether a law has been violated. */
  hasViolated(law: LawName): boolean {
    return this.violations.some((known) => known.law === law);
  }

  /** Whether values are equal for the provider. */
  isSame(one: Value, other: Value): boolean {
    return this.isLegacy ? equalsInLegacySdk(one, other) : same(one, other);
  }

  /** Checks that values are equal. @param ignored - names of attributes that may differ */
  expectSame(law: LawName, what: string, expected: Value, actual: Value, ignored: ReadonlySet<string> = new Set()): boolean {
    const differences = this.#differences(expected, actual, ignored);
    if (differences.length > 0) this.violate(law, [`${what}:`, ...differences.map((line) => `  ${line}`)].join("\n"));
    return differences.length === 0;
  }

  /**
   * Sorts the diagnostics of an operation: faults violate `faults`, other errors `errors` unless they are expected. Returns whether the operation
   * succeeded.
   */
  succeeded(diagnostics: readonly Diagnostic[], what: string, faults: LawName, errors: LawName): boolean {
    if (!hasErrors(diagnostics)) return true;
    const failures = diagnostics.filter(({ severity }) => severity === "error");
    const broken = failures.filter(isProviderFault);
    if (broken.length > 0) this.violate(faults, `${what}:\n${textOf(broken)}`);
    const others = failures.filter((one) => !isProviderFault(one) && !this.subject.isExpected(one));
    if (broken.length === 0 && this.isPriorMadeUp) {
      this.outcomes.push(`${what} failed with a prior object that is made up`);
      return false;
    }
    if (broken.length === 0 && others.length > 0) this.violate(errors, `${what} failed:\n${textOf(others)}`);
    if (broken.length === 0 && others.length === 0) this.outcomes.push(`${what} was refused`);
    return false;
  }

  /** Runs a part of the life. A crash of the provider violates a law and ends the part. */
  async attempt<T>(what: string, part: () => Promise<T>): Promise<T | undefined> {
    try {
      const result = await part();
      this.#checkResponses(what);
      return result;
    } catch (error) {
      if (!isCrash(error)) throw error;
      this.hasCrashed = true;
      if (this.isPriorMadeUp) {
        this.outcomes.push(`${what} failed with a prior object that is made up`);
        return undefined;
      }
      this.violate("answers-calls", `${what}: ${error.message.split("\n").slice(0, 3).join("\n")}`);
      return undefined;
    }
  }

  #differences(expected: Value, actual: Value, ignored: ReadonlySet<string>): readonly string[] {
    if (this.isSame(expected, actual)) return [];
    const { block } = this.subject.type.schema;
    const { type } = expected;
    if (!isKnown(expected) || !isKnown(actual)) return ["an object that is not known"];
    if (expected.payload === null || actual.payload === null || type.kind !== "object" || actual.type.kind !== "object") {
      return [`expected ${expected.payload === null ? "no object" : "an object"}, got ${actual.payload === null ? "none" : "one"}`];
    }
    const names = type.names.filter((name) => {
      const [before, after] = [attributeOf(expected, name), attributeOf(actual, name)];
      return !ignored.has(name) && !this.isSame(before, after);
    });
    return names.map((name) => {
      const attribute = block.attributes[name];
      const found = assertObjectCompatible(block, expected, actual).find(({ path }) => formatPath(path.slice(0, 1)) === `.${name}`);
      if (attribute?.sensitive) return `${name} (sensitive) differs`;
      const [before, after] = [attributeOf(expected, name), attributeOf(actual, name)];
      const texts = [valueText(before), valueText(after)];
      if (attribute?.nested === undefined && attribute !== undefined && texts[0] !== texts[1])
        return `${name}: expected ${texts[0]}, got ${texts[1]}`;
      return found === undefined ? `${name} differs` : formatRuleViolation(found).replace(/^\./, "");
    });
  }

  /** Whether the path of a diagnostic says which value it is about: paths end before the elements of a set, so that two of those look the same. */
  #isExact({ attribute }: Diagnostic): boolean {
    if (attribute === undefined) return true;
    const found = attributeAt(this.subject.type.schema.block, attribute);
    return found !== undefined && found.nested?.nesting !== "set" && found.type?.kind !== "set" && !formatPath(attribute).includes("[...]");
  }

  /** Checks the diagnostics of all responses since the last time. */
  #checkResponses(what: string): void {
    for (const { name, request, response } of this.subject.calls.take()) {
      const seen = new Set<string>();
      for (const diagnostic of diagnosticsOf(response)) {
        const text = formatDiagnostic(diagnostic);
        if (diagnostic.summary.trim() === "")
          this.violate("valid-diagnostics", `${what}: ${name} returned a diagnostic without a summary: ${text}`);
        if (seen.has(text) && this.#isExact(diagnostic))
          this.violate("valid-diagnostics", `${what}: ${name} returned a diagnostic twice: ${text}`);
        seen.add(text);
        if (diagnostic.attribute !== undefined && entersSet(this.subject.type.schema.block, diagnostic.attribute)) {
          this.violate("valid-diagnostics", `${what}: ${name} returned a path that no core can follow into a set: ${text}`);
        }
      }
      const { deferred, legacyTypeSystem } = response as { readonly deferred?: unknown; readonly legacyTypeSystem?: boolean };
      if (legacyTypeSystem === true) this.isLegacy = true;
      const { clientCapabilities } = request as { readonly clientCapabilities?: { readonly deferralAllowed: boolean } };
      if (deferred !== undefined && clientCapabilities?.deferralAllowed !== true)
        this.violate("no-unasked-deferral", `${what}: ${name} deferred the change`);
    }
  }
}

/** Formats errors, one a line. */
export function textOf(diagnostics: readonly Diagnostic[]): string {
  const errors = diagnostics.filter(({ severity }) => severity === "error");
  return errors.map((one) => `  ${formatDiagnostic(one).split("\n\n")[0]!.replaceAll("\n", "\n  ")}`).join("\n");
}

/** Whether a path selects an element of a set by a position or a key: the elements of a set have none, only their value. */
function entersSet(block: Block, path: Path): boolean {
  return path.some((step, index) => {
    if (step.kind !== "index") return false;
    const place = attributeAt(block, path.slice(0, index));
    if (place === undefined) return false;
    const isPlain = place.type?.kind === "set" && step.key.type !== place.type.element;
    return isPlain || (place.nested?.nesting === "set" && step.key.type.kind !== "object");
  });
}
