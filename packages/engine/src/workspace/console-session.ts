// SPDX-License-Identifier: Apache-2.0
import type { ConsoleResult, ConsoleScope } from "../console/console.ts";
import type { AddressedDiagnostic } from "../provider/provider-diagnostic.ts";

/** The parts of a {@link ConsoleSession}. */
export interface ConsoleParts {
  /** Undefined if errors of the configuration prevent all evaluation. */
  readonly scope: ConsoleScope | undefined;
  readonly diagnostics: readonly AddressedDiagnostic[];
  readonly sources: ReadonlyMap<string, string | Uint8Array>;
  /** Closes the providers. */
  readonly close: () => Promise<void>;
}

/** Evaluates expressions that refer to a configuration, and to the state that was stored when the session was opened. */
export class ConsoleSession implements AsyncDisposable {
  readonly #parts: ConsoleParts;

  constructor(parts: ConsoleParts) {
    this.#parts = parts;
  }

  /** Diagnostics about the configuration. Expressions can refer to parts of it that have no errors. */
  get diagnostics(): readonly AddressedDiagnostic[] {
    return this.#parts.diagnostics;
  }

  /** The texts of the configuration's files by path, for showing diagnostics. */
  get sources(): ReadonlyMap<string, string | Uint8Array> {
    return this.#parts.sources;
  }

  /** Evaluates an expression in the root module, such as `module.network.id` or `type(var.ports)`. */
  async evaluate(expression: string): Promise<ConsoleResult> {
    const { scope, diagnostics } = this.#parts;
    return scope === undefined ? { diagnostics } : scope.evaluate(expression);
  }

  /** Closes the providers. */
  async close(): Promise<void> {
    await this.#parts.close();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.close();
  }
}
