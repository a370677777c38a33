// SPDX-License-Identifier: Apache-2.0
import type { ProviderFactory } from "@tenon/schema";
import type { ConfigurationFiles } from "../configuration/configuration-source.ts";
import { requiredProvidersFile } from "../configuration/required-providers.ts";
import { sensitiveTexts, withoutSecrets } from "../configuration/masked-text.ts";
import type { SessionPlan } from "../runner/runner.ts";

/** The parts of a failure. */
export interface FailureParts {
  readonly title: string;
  readonly reason: string;
  readonly files: ConfigurationFiles;
  /** Factories of the providers, whose schemas say which arguments are sensitive. */
  readonly factories: Readonly<Record<string, ProviderFactory>>;
  readonly plan: SessionPlan | undefined;
}

/** Maximum number of lines of a file in a failure. */
const shownLines = 60;

/** The text of a failure: the reason, the lines of the configuration, and the plan as the core prints it. */
export async function failureText({ title, reason, files, factories, plan }: FailureParts): Promise<string> {
  const configuration = [...files].flatMap(([path, content]) =>
    path === requiredProvidersFile || typeof content !== "string" ? [] : [numberedLines(path, content)],
  );
  const shown = plan === undefined || plan.errors.length > 0 ? undefined : plan;
  const planText = (await shown?.text())?.trim() ?? "";
  const mask = await withoutSecrets(factories, sensitiveTexts(await shown?.document()));
  return [
    title,
    "",
    mask(indented(reason)),
    ...configuration.flatMap((lines) => ["", mask(lines)]),
    ...(planText === "" ? [] : ["", "Plan:", "", indented(planText)]),
    "",
  ].join("\n");
}

function numberedLines(path: string, text: string): string {
  const lines = text.trimEnd().split("\n");
  const width = String(Math.min(lines.length, shownLines)).length;
  const shown = lines.slice(0, shownLines).map((line, index) => `  ${String(index + 1).padStart(width)} │ ${line}`);
  const rest = lines.length > shownLines ? [`  … ${lines.length - shownLines} more lines`] : [];
  return [`${path}:`, ...shown, ...rest].join("\n");
}

function indented(text: string): string {
  return text.replaceAll(/^(?=.)/gm, "  ");
}
