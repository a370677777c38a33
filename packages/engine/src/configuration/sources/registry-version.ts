// SPDX-License-Identifier: Apache-2.0
import { goQuote } from "@tenon/cty/unstable/payload";
import type { SourceRange } from "@tenon/hcl";
import { displayHostname } from "../../address/provider.ts";
import type { ModuleRequest } from "../module-request.ts";
import { formatModuleSource, type ModuleSource } from "../module-source.ts";
import { reportError, reportWarning, type Report } from "../report.ts";
import { compareVersions, parseComparableVersion, versionMeets, type ComparableVersion } from "../version-constraint.ts";

/** The address of a module in a registry. */
export type RegistrySource = Extract<ModuleSource, { kind: "registry" }>;

/**
 * Selects the newest of the offered versions that a call allows. Reports an error and returns undefined if there is none.
 *
 * @see OpenTofu initwd, ModuleInstaller.installRegistryModule
 */
export function newestAllowedVersion(
  offered: readonly string[],
  request: ModuleRequest,
  source: RegistrySource,
  report: Report,
): string | undefined {
  const host = displayHostname(source.hostname);
  const comparisons = request.version?.comparisons ?? [];
  let newest: ComparableVersion | undefined;
  let match: { readonly version: ComparableVersion; readonly text: string } | undefined;
  for (const text of offered) {
    const version = parseComparableVersion(text);
    if (version === undefined) {
      const detail = `The registry at ${host} returned an invalid version string ${goQuote(text)} for module ${formatCall(request)}, which OpenTofu ignored.`;
      reportWarning(report, "Invalid response from remote module registry", detail, request.callRange);
      continue;
    }
    // A pre-release is selected only by an exact constraint.
    const isRequested = comparisons.some(({ operator, boundary }) => operator === "=" && compareVersions(version, boundary) === 0);
    if (version.prerelease !== "" && !isRequested) continue;
    if (newest === undefined || compareVersions(version, newest) > 0) newest = version;
    if (!versionMeets(version, comparisons)) continue;
    if (match === undefined || compareVersions(version, match.version) > 0) match = { version, text };
  }
  const display = `${goQuote(formatModuleSource(source))} (${formatLocation(request.callRange)})`;
  if (newest === undefined) {
    reportError(report, "Module has no versions", `Module ${display} has no versions available on ${host}.`, request.callRange);
    return undefined;
  }
  if (match !== undefined) return match.text.replace(/^v/, "");
  const { segments, prerelease } = newest;
  const newestText = `${segments.join(".")}${prerelease === "" ? "" : `-${prerelease}`}`;
  const detail = `There is no available version of module ${display} which matches the given version constraint. The newest available version is ${newestText}.`;
  reportError(report, "Unresolvable module version constraint", detail, request.callRange);
  return undefined;
}

/** Formats the call of a module: `"name" (main.tf:3)`. */
export function formatCall({ path, callRange }: ModuleRequest): string {
  return `${goQuote(path.at(-1)!)} (${formatLocation(callRange)})`;
}

/** Formats the start of a range: `main.tf:3`. */
export function formatLocation({ filename, start }: SourceRange): string {
  return `${filename}:${start.line}`;
}
