// SPDX-License-Identifier: Apache-2.0
import { isNull, string } from "@tenon/cty";
import { goQuote } from "@tenon/cty/unstable/payload";
import { hasErrors, type SourceRange } from "@tenon/hcl";
import type { Evaluation } from "@tenon/hcl/evaluate";
import { containsMarkOf } from "../marks/value-marks.ts";
import { confidentialMarks } from "./confidential-marks.ts";
import { literalValue } from "./literal.ts";
import type { ModuleCall } from "./module-call.ts";
import { parseModuleSource, parseRegistrySource, type ModuleSource } from "./module-source.ts";
import { reportAll, reportError, type Report } from "./report.ts";
import { formatSubject, type StaticScope, type StaticSubject, type StaticVariables } from "./static-scope.ts";
import { versionRequirementOf, type VersionRequirement } from "./version-constraint.ts";

/** The static arguments of a module call. */
export interface StaticModuleCall {
  /** Absent if the source is invalid. */
  readonly source?: ModuleSource;
  /** The text of the source in the configuration. */
  readonly sourceText?: string;
  readonly version?: VersionRequirement;
}

/** Evaluates source and version of a module call. @see OpenTofu configs, ModuleCall.decodeStaticFields */
export function readStaticCall(call: ModuleCall, scope: StaticScope, report: Report): StaticModuleCall {
  const { version, isSet } = readVersion(call, scope, report);
  const text = readSourceText(call, scope, report);
  const source = text === undefined ? undefined : moduleSourceOf(text, { hasVersion: isSet, range: call.source!.range }, report);
  return { ...(source && { source }), ...(text !== undefined && { sourceText: text }), ...(version && { version }) };
}

function readVersion(
  { name, version: attribute }: ModuleCall,
  scope: StaticScope,
  report: Report,
): { readonly version?: VersionRequirement | undefined; readonly isSet: boolean } {
  if (attribute === undefined) return { isSet: false };
  const subject: StaticSubject = { module: scope.path, name: `module.${name}.version`, range: attribute.range };
  const { value, diagnostics } = scope.evaluate(attribute.expression, subject);
  if (reportAll(report, diagnostics)) return { isSet: true };
  if (isNull(value)) return { isSet: false };
  return { version: versionRequirementOf(attribute, value, report), isSet: true };
}

function readSourceText({ name, source }: ModuleCall, scope: StaticScope, report: Report): string | undefined {
  if (source === undefined) return undefined;
  const subject: StaticSubject = { module: scope.path, name: `module.${name}.source`, range: source.range };
  const evaluation = scope.evaluate(source, subject);
  if (reportAll(report, evaluation.diagnostics) || reportConfidential(evaluation, subject, report)) return undefined;
  const payload = literalValue(evaluation.value, source, string, report)?.payload;
  return typeof payload === "string" ? payload : undefined;
}

function reportConfidential({ value }: Evaluation, subject: StaticSubject, report: Report): boolean {
  for (const { mark, word, adjective } of confidentialMarks) {
    if (!containsMarkOf(value, mark)) continue;
    const detail = `${word} values, or values derived from ${adjective} values, cannot be used as ${formatSubject(subject)}.`;
    reportError(report, `${word} value not allowed`, detail, subject.range);
    return true;
  }
  return false;
}

/**
 * Reads the text of a module's source. Otherwise reports an error and returns undefined.
 *
 * @param place.hasVersion Whether the module has a version, so that the source must be a registry.
 */
export function moduleSourceOf(
  text: string,
  { hasVersion, range }: { readonly hasVersion: boolean; readonly range: SourceRange },
  report: Report,
): ModuleSource | undefined {
  const parsed = hasVersion ? parseRegistrySource(text) : parseModuleSource(text);
  if ("source" in parsed) return parsed.source;
  const { reason, maybeRelative } = parsed;
  if (maybeRelative !== undefined) {
    const detail = `OpenTofu failed to determine your intended installation method for remote module package ${goQuote(maybeRelative)}.\n\nIf you intended this as a path relative to the current module, use "./${maybeRelative}" instead. The "./" prefix indicates that the address is a relative filesystem path.`;
    reportError(report, "Invalid module source address", detail, range);
  } else if (hasVersion) {
    const detail = `Failed to parse module registry address: ${reason}.\n\nOpenTofu assumed that you intended a module registry source address because you also set the argument "version", which applies only to registry modules.`;
    reportError(report, "Invalid registry module source address", detail, range);
  } else reportError(report, "Invalid module source address", `Failed to parse module source address: ${reason}.`, range);
  return undefined;
}

/** Evaluates the variables of a called module from the arguments of its call. @see OpenTofu configs, ModuleCall.decodeStaticVariables */
export function variablesOfCall(call: ModuleCall, scope: StaticScope): StaticVariables {
  const { attributes } = call.config.justAttributes();
  return (variable) => {
    const attribute = attributes.get(variable.name);
    if (attribute !== undefined) {
      const subject = { module: [...scope.path, call.name], name: `var.${variable.name}`, range: attribute.range };
      const evaluation = scope.evaluate(attribute.expression, subject);
      return hasErrors(evaluation.diagnostics) ? { diagnostics: evaluation.diagnostics } : evaluation;
    }
    if (variable.default !== undefined) return { value: variable.default, diagnostics: [] };
    const subject = call.config.missingItemRange();
    return { diagnostics: [{ severity: "error", summary: "Missing required variable in module call", detail: "", subject }] };
  };
}
