// SPDX-License-Identifier: Apache-2.0
import { formatRange, hasErrors, type Body, type Diagnostic } from "@tenon/hcl";
import { expressionList, keywordOf } from "@tenon/hcl/analysis";
import type { Attribute, Block, BodySchema } from "@tenon/hcl/body";
import { attributesNamed, contentOf, partialContentOf } from "./block-content.ts";
import { opentofuVersion } from "../opentofu-version.ts";
import { reportAll, reportError, reportWarning, type Report } from "./report.ts";
import { parseComparableVersion, readVersionRequirement, versionMeets, type VersionRequirement } from "./version-constraint.ts";

const languageSchema: BodySchema = { attributes: attributesNamed("edition", "experiments"), blocks: [{ type: "compatible_with" }] };
const compatibleSchema: BodySchema = { attributes: attributesNamed("opentofu") };
const comparableOpentofuVersion = parseComparableVersion(opentofuVersion)!;
const edition = "tofu2024";
/** The last version of OpenTofu that did not support `compatible_with`. */
const versionWithoutCompatibility = parseComparableVersion("1.11.0")!;

/** Checks a `language` block. The engine needs none of its settings. @see OpenTofu configs, validateLanguageBlock */
export function checkLanguageBlock(block: Block, isOverride: boolean, report: Report): void {
  if (isOverride) {
    const detail =
      'Language-related settings in "language" blocks are not allowed in override files. Place these settings in a normal configuration file.';
    reportError(report, "Language selections in override file", detail, block.declarationRange);
    return;
  }
  const { attributes, blocks } = contentOf(block.body, languageSchema, report);
  const editionAttribute = attributes.get("edition");
  if (editionAttribute !== undefined) checkEdition(editionAttribute, report);
  const experiments = attributes.get("experiments");
  if (experiments !== undefined) checkExperiments(experiments, report);
  let first: VersionRequirement | undefined;
  for (const nested of blocks) {
    if (first !== undefined) {
      const detail = `Each language block may have at most one compatible_with block referring to OpenTofu. The OpenTofu version constraint was already declared at ${formatRange(first.range)}.`;
      reportError(report, "Duplicate compatible_with block", detail, block.declarationRange);
      continue;
    }
    first = readCompatibility(nested, report);
    if (first !== undefined && versionMeets(versionWithoutCompatibility, first.comparisons)) {
      const detail =
        'The compatible_with block was added in OpenTofu v1.12.0, so any constraint specified this way should exclude earlier versions of OpenTofu, such as by including ">= 0.12.0".\n\nIf your module must be compatible with earlier versions of OpenTofu, use the required_version argument in a "terraform" block in a file named with the .tofu suffix, which is an older way to specify OpenTofu version constraints.';
      reportWarning(report, "Ineffective version constraint", detail, first.range);
    }
  }
}

function checkEdition({ expression }: Attribute, report: Report): void {
  const keyword = keywordOf(expression);
  const unsupported = (detail: string): void => reportError(report, "Unsupported language edition", detail, expression.range);
  if (keyword === undefined) {
    const detail = `The "edition" argument expects a bare language edition keyword. OpenTofu ${opentofuVersion} supports only language edition ${edition}, which is the default.`;
    reportError(report, "Invalid language edition", detail, expression.range);
  } else if (keyword.startsWith("TF")) {
    // OpenTofu's text names its own edition instead of the requested one.
    unsupported(
      `OpenTofu v${opentofuVersion} does not support language edition "${edition}". This module may be intended for use with other software.`,
    );
  } else if (keyword !== edition) {
    const age = keyword > edition ? "newer" : "different";
    unsupported(
      `OpenTofu v${opentofuVersion} only supports language edition ${edition}. This module requires a ${age} version of OpenTofu CLI.`,
    );
  }
}

function checkExperiments({ expression }: Attribute, report: Report): void {
  const { list, diagnostics } = expressionList(expression);
  reportAll(report, diagnostics);
  for (const element of list ?? []) {
    const keyword = keywordOf(element);
    if (keyword === undefined) {
      const detail = 'Elements of "experiments" must all be keywords representing active experiments.';
      reportError(report, "Invalid experiment keyword", detail, element.range);
    } else {
      reportError(report, "Unknown experiment keyword", `There is no current experiment with the keyword "${keyword}".`, element.range);
    }
  }
}

/** Reads the version requirement of a `compatible_with` block; undefined if it has none. */
function readCompatibility(block: Block, report: Report): VersionRequirement | undefined {
  const { content } = partialContentOf(block.body, compatibleSchema, report);
  const attribute = content.attributes.get("opentofu");
  return attribute && readVersionRequirement(attribute, report);
}

/**
 * Checks the version constraints of a file against the engine's version of OpenTofu. `required_version` is checked only in `.tofu` files,
 * because in other files it can be meant for Terraform.
 *
 * @returns The mismatches. They replace all other diagnostics of the module.
 * @see OpenTofu configs, checkVersionRequirements
 */
export function checkVersionRequirements(body: Body, report: Report): readonly Diagnostic[] {
  const { content } = partialContentOf(body, { blocks: [{ type: "terraform" }, { type: "language" }] }, report);
  const mismatches: Diagnostic[] = [];
  const check = (requirement: VersionRequirement | undefined): void => {
    if (requirement === undefined) return;
    const problems: Diagnostic[] = [];
    checkPrereleases(requirement, problems);
    report.push(...problems);
    if (hasErrors(problems) || versionMeets(comparableOpentofuVersion, requirement.comparisons)) return;
    const detail = `This module is not compatible with OpenTofu v${opentofuVersion}.\n\nTo proceed, either choose another supported OpenTofu version or update this version constraint. Version constraints are normally set for good reason, so updating the constraint may lead to other errors or unexpected behavior.`;
    mismatches.push({ severity: "error", summary: "Incompatible module", detail, subject: requirement.range });
  };
  for (const block of content.blocks) {
    if (block.type === "language") {
      const language = partialContentOf(block.body, { blocks: [{ type: "compatible_with" }] }, report);
      for (const nested of language.content.blocks) check(readCompatibility(nested, report));
    } else if (/\.tofu(\.json)?$|\.tofutest\.(hcl|json)$/.test(block.declarationRange.filename)) {
      const terraform = partialContentOf(block.body, { attributes: [{ name: "required_version" }] }, report);
      const attribute = terraform.content.attributes.get("required_version");
      if (attribute !== undefined) check(readVersionRequirement(attribute, report));
    }
  }
  return mismatches;
}

function checkPrereleases({ comparisons, range }: VersionRequirement, report: Report): void {
  for (const { boundary, text } of comparisons) {
    if (boundary.prerelease === "") continue;
    const detail = `Prerelease version constraints are not supported: ${text}. Remove the prerelease information from the constraint. Prerelease versions of OpenTofu will match constraints using their version core only.`;
    reportError(report, "Invalid required_version constraint", detail, range);
  }
}
