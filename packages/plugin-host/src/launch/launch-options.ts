// SPDX-License-Identifier: Apache-2.0
import { basename } from "node:path";
import type { CarrierTap } from "@tenon/protocol/carrier";
import type { LogLevel } from "@tenon/protocol/log-line";
import { type CallSettings, resolveCalls } from "../call/call-settings.ts";
import { invalidOption, milliseconds } from "../call/time-limit.ts";
import type { ConnectionSettings, ProtocolVersion } from "../connection/connection-settings.ts";
import type { LogRecord } from "../output/log-record.ts";
import { type LogSettings, resolveLogLevel } from "../output/log-settings.ts";
import type { SchemaCacheEntry } from "../schema-cache/schema-cache.ts";

/** Options of a launch. */
export interface LaunchOptions extends CallSettings, LogSettings, ConnectionSettings {
  /**
   * The executable, or the executable and its arguments. A name without a slash is looked up on `PATH`; a relative path is relative to the
   * working directory of this process. No shell is used.
   */
  readonly command: string | readonly [file: string, ...args: string[]];
  /** Name of the provider in errors and log records. Default: the name of the file. */
  readonly name?: string;
  /** Variables to add to the environment that the provider inherits; undefined removes one. */
  readonly env?: Readonly<Record<string, string | undefined>>;
  /** Working directory of the provider. Default: that of this process. */
  readonly cwd?: string;
  /** Whether host and provider authenticate with certificates created for this process. Default: true. */
  readonly autoMtls?: boolean;
  /** Time limit until the provider can be called, in milliseconds. Default: 60,000, as in Terraform. */
  readonly startTimeoutMs?: number;
  /** Grace period for a shutdown before the provider is killed, in milliseconds. Default: 2,000. */
  readonly shutdownGraceMs?: number;
  /** Protocol versions to offer. Default: both. */
  readonly protocolVersions?: readonly ProtocolVersion[];
  /** Cache of the provider's schemas, for providers that allow it. Default: no cache. */
  readonly schemaCache?: SchemaCacheEntry;
  /** Cancels the launch. It has no effect once the provider is launched. */
  readonly signal?: AbortSignal;
}

/** {@link LaunchOptions} with all defaults. */
export interface Launch {
  readonly name: string;
  readonly file: string;
  readonly args: readonly string[];
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly cwd: string | undefined;
  readonly autoMtls: boolean;
  readonly startTimeoutMs: number;
  readonly shutdownGraceMs: number;
  readonly protocolVersions: readonly ProtocolVersion[];
  readonly onLog: ((record: LogRecord) => void) | undefined;
  readonly logLevel: LogLevel | "off";
  readonly schemaCache: SchemaCacheEntry | undefined;
  readonly tap: CarrierTap | undefined;
  readonly signal: AbortSignal | undefined;
  readonly calls: CallSettings;
}

/**
 * Checks the options and adds their defaults.
 *
 * @throws PluginHostError `INVALID_OPTIONS` for an empty command, an invalid time limit, no protocol version
 */
export function resolveLaunch(options: LaunchOptions): Launch {
  const [file, ...args] = typeof options.command === "string" ? [options.command] : options.command;
  if (file === undefined || file === "") throw invalidOption("command", "must name a file");
  const protocolVersions = options.protocolVersions ?? [5, 6];
  if (protocolVersions.length === 0) throw invalidOption("protocolVersions", "is empty; offer 5, 6 or both");
  if (!protocolVersions.every((version) => version === 5 || version === 6))
    throw invalidOption("protocolVersions", "may contain only 5 and 6");
  if (`${file}${args.join("")}`.includes("\0")) throw invalidOption("command", "contains a zero byte");
  return {
    name: options.name ?? nameOf([file, ...args]),
    file,
    args,
    env: options.env ?? {},
    cwd: options.cwd,
    autoMtls: options.autoMtls ?? true,
    startTimeoutMs: milliseconds("startTimeoutMs", options.startTimeoutMs, 60_000),
    shutdownGraceMs: milliseconds("shutdownGraceMs", options.shutdownGraceMs, 2_000),
    protocolVersions,
    onLog: options.onLog,
    logLevel: resolveLogLevel(options),
    schemaCache: options.schemaCache,
    tap: options.tap,
    signal: options.signal,
    calls: resolveCalls(options),
  };
}

/** Returns the name of a command's provider: `["node", "dist/terraform-provider-notes.js"]` is `terraform-provider-notes`. */
function nameOf(command: readonly string[]): string {
  const named = command.find((part) => basename(part).startsWith("terraform-provider-")) ?? command[0]!;
  return basename(named).replace(/\.(exe|cmd|[cm]?[jt]s)$/, "");
}
