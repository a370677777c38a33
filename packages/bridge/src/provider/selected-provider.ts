// SPDX-License-Identifier: Apache-2.0
import type { LogRecord, SchemaCacheEntry } from "@tenon/plugin-host";
import type { LogLevel } from "@tenon/protocol/log-line";
import type { Provider } from "@tenon/schema";
import type { ProgramSecrets } from "../recording/program-secrets.ts";
import type { ProviderSelection } from "./provider-selection.ts";

/** An opened provider, not configured. */
export interface SelectedProvider {
  readonly provider: Provider;
  /** Name of the provider in messages, such as `registry.opentofu.org/hashicorp/time`. */
  readonly address: string;
  /** Type of the provider, such as `time`. */
  readonly type: string;
  /** Full semantic version; `0.0.0` if it is unknown. */
  readonly version: string;
  /** The same selection with the exact version; for a file, with its absolute path. */
  readonly pinned: ProviderSelection;
  /** The cache entry of an installed package; undefined for other providers. */
  readonly cache?: SchemaCacheEntry;
}

/** Options of the functions that open providers. */
export interface OpenSettings {
  readonly environment: Readonly<Record<string, string | undefined>>;
  /** Receives the log of the provider. Secrets of calls are masked in it. */
  readonly onLog: (record: LogRecord) => void;
  readonly logLevel: LogLevel;
  /** Grace period of a cancelled change, in milliseconds. */
  readonly stopGraceMs: number;
  /** Receives messages about the progress of the installation. */
  readonly onProgress?: (message: string) => void;
  /** Values that recordings mask although no schema marks them. Default: none. */
  readonly secrets?: ProgramSecrets;
  readonly signal?: AbortSignal;
}
