// SPDX-License-Identifier: Apache-2.0
import type { Diagnostic, Provider } from "@tenon/schema";
import type { PackageMapping } from "../mapping/mapping.ts";

/** Severity of a message to the user. */
export type MessageSeverity = "debug" | "info" | "warning" | "error";

/** The parts of a session that operations on resources and functions need. */
export interface BridgeContext {
  readonly mapping: PackageMapping;
  /** Provider, which is configured when a resource is created, read, updated or deleted. */
  readonly provider: Provider;
  /** Name of the provider in messages, such as `registry.opentofu.org/hashicorp/time`. */
  readonly providerAddress: string;
  /** Version of Terraform that the provider gets. */
  readonly terraformVersion: string;
  /** Shows a message to the user. The URN is that of the resource that it is about; empty if it is not about a resource. */
  readonly showMessage: (severity: MessageSeverity, message: string, urn: string) => void;
  /** Aborted when the engine cancels the session, or ends. */
  readonly signal: AbortSignal;
  /** Adds a step that runs before the provider is closed. */
  readonly onEnd: (step: () => Promise<void>) => void;
}

/** Shows the warnings among diagnostics to the user. */
export function showWarnings(context: BridgeContext, diagnostics: readonly Diagnostic[], urn: string): void {
  for (const diagnostic of diagnostics) {
    if (diagnostic.severity === "warning") context.showMessage("warning", diagnosticText(diagnostic), urn);
  }
}

/** Text of a diagnostic: its summary and detail. */
export function diagnosticText({ summary, detail }: Diagnostic): string {
  return detail === "" ? summary : `${summary}: ${detail}`;
}

/** Texts of the errors among diagnostics. */
export function errorTexts(diagnostics: readonly Diagnostic[]): readonly string[] {
  return diagnostics.filter(({ severity }) => severity === "error").map(diagnosticText);
}
