// SPDX-License-Identifier: Apache-2.0
import { basename } from "node:path";
import type { CarrierTap } from "@tenon/protocol/carrier";
import type { LogLevel } from "@tenon/protocol/log-line";
import type { Provider } from "@tenon/schema";
import { PluginHostError } from "../error.ts";
import { tellListener } from "../listener.ts";
import type { LogRecord } from "../output/log-record.ts";
import { isCallName } from "../provider/call-names.ts";
import type { SchemaCacheEntry } from "../schema-cache/schema-cache.ts";

/** A provider protocol's major version. */
export type ProtocolVersion = 5 | 6;

/** Limits of time by the names of calls, in milliseconds; calls that are not named have none. */
export type CallTimeouts = { readonly [Name in keyof Omit<Provider, "close" | symbol>]?: number };

/** What a host may say about calls, however it came to its provider. */
export interface CallSettings {
  /**
   * How long a call may take, in milliseconds, from when it is sent; of a stream, how long until its next element. It then
   * rejects with `DEADLINE_EXCEEDED`. One limit for all, or one for each call by its name: `{ readResource: 30_000 }`. Default: no limit, as an
   * apply may take hours.
   */
  readonly callTimeoutMs?: number | CallTimeouts;
  /**
   * How many calls with one answer are under way at a time; more wait their turn. Streams and `stop()` do not count.
   * Default: no limit.
   */
  readonly maxConcurrentCalls?: number;
}

/** What a host may say about the connection to a provider. */
export interface ConnectionSettings {
  /**
   * Sees every message of every call as bytes, those of the plugin's own services too. The bytes hold only until it returns. What it throws is
   * an uncaught exception. `wireRecording` makes one that writes a file. Default: nobody.
   */
  readonly tap?: CarrierTap;
}

/** What a host may say about a provider's output. */
export interface LogSettings {
  /** Gets each record of at least `logLevel`, in order. What it throws is an uncaught exception. Default: nobody. */
  readonly onLog?: (record: LogRecord) => void;
  /**
   * The least level that matters. Providers are asked not to make others, which costs some of them half their speed.
   * Default: `info` with `onLog`, otherwise `off`.
   */
  readonly logLevel?: LogLevel | "off";
}

/** How a provider is launched. */
export interface LaunchOptions extends CallSettings, LogSettings, ConnectionSettings {
  /**
   * What to run: a file, or a file and its arguments. A name with no slash in it is looked for on `PATH`; a relative path starts
   * at this process's working folder. No shell is involved.
   */
  readonly command: string | readonly [file: string, ...args: string[]];
  /** What the provider is called in errors and log records. Default: the name of the file. */
  readonly name?: string;
  /** Variables to add to the provider's environment; undefined removes one. The rest is this process's own, cleaned. */
  readonly env?: Readonly<Record<string, string | undefined>>;
  /** The provider's working folder. Default: this process's own. */
  readonly cwd?: string;
  /** Whether both ends prove who they are, with certificates made for this process. Default: true. */
  readonly autoMtls?: boolean;
  /** How long the provider may take until it can be called, in milliseconds. Default: 60,000, as in Terraform. */
  readonly startTimeoutMs?: number;
  /** How long a provider may take to end in good order when it is closed, in milliseconds; it is killed then. Default: 2,000. */
  readonly shutdownGraceMs?: number;
  /** Protocol versions to offer. Default: both. */
  readonly protocolVersions?: readonly ProtocolVersion[];
  /** Spares asking a provider for its schemas that said them before, where it allows that. Default: it is asked each time. */
  readonly schemaCache?: SchemaCacheEntry;
  /** Gives the launch up. Once the provider is there, it changes nothing. */
  readonly signal?: AbortSignal;
}

/** {@link LaunchOptions} with every default filled in. */
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

/** @throws PluginHostError `INVALID_OPTIONS` for an empty command, a time that is none, no protocol version. */
export function resolveLaunch(options: LaunchOptions): Launch {
  const [file, ...args] = typeof options.command === "string" ? [options.command] : options.command;
  if (file === undefined || file === "") throw invalid("command", "names no file");
  const protocolVersions = options.protocolVersions ?? [5, 6];
  if (protocolVersions.length === 0) throw invalid("protocolVersions", "is empty; offer 5, 6 or both");
  if (!protocolVersions.every((version) => version === 5 || version === 6)) throw invalid("protocolVersions", "may hold 5 and 6 only");
  if (`${file}${args.join("")}`.includes("\0")) throw invalid("command", "holds a zero byte");
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

/** @throws PluginHostError `INVALID_OPTIONS` for limits that are none. */
export function resolveCalls({ callTimeoutMs, maxConcurrentCalls }: CallSettings): CallSettings {
  if (maxConcurrentCalls !== undefined && !(maxConcurrentCalls >= 1)) throw invalid("maxConcurrentCalls", "must be at least 1");
  return {
    ...(callTimeoutMs === undefined ? {} : { callTimeoutMs: resolveTimeouts(callTimeoutMs) }),
    ...(maxConcurrentCalls === undefined ? {} : { maxConcurrentCalls: Math.floor(maxConcurrentCalls) }),
  };
}

function resolveTimeouts(callTimeoutMs: number | CallTimeouts): number | CallTimeouts {
  if (typeof callTimeoutMs === "number") return milliseconds("callTimeoutMs", callTimeoutMs, 0);
  const limits = Object.entries(callTimeoutMs).filter(([, limit]) => limit !== undefined);
  for (const [name] of limits) {
    if (!isCallName(name)) throw invalid("callTimeoutMs", `names ${JSON.stringify(name)}, which is no call of a provider`);
  }
  return Object.fromEntries(limits.map(([name, limit]) => [name, milliseconds(`callTimeoutMs.${name}`, limit, 0)]));
}

/** What a carrier is told of it. */
export function resolveConnection({ tap }: { readonly tap?: CarrierTap | undefined }): { readonly tap?: CarrierTap } {
  return tap === undefined ? {} : { tap: (event) => tellListener(tap, event) };
}

/** Nobody listening means that nothing is worth making. */
export function resolveLogLevel({ onLog, logLevel }: LogSettings): LogLevel | "off" {
  return onLog === undefined ? "off" : (logLevel ?? "info");
}

/** `["node", "dist/terraform-provider-notes.js"]` is the notes provider, not `node`. */
function nameOf(command: readonly string[]): string {
  const named = command.find((part) => basename(part).startsWith("terraform-provider-")) ?? command[0]!;
  return basename(named).replace(/\.(exe|cmd|[cm]?[jt]s)$/, "");
}

/** Node's timers take no more than 31 bits. */
const longestMs = 2 ** 31 - 1;

function milliseconds(option: string, value: number | undefined, standard: number): number {
  if (value === undefined) return standard;
  if (!(value > 0)) throw invalid(option, "must be a number of milliseconds above 0");
  return Math.min(value, longestMs);
}

function invalid(option: string, problem: string): PluginHostError {
  return new PluginHostError("INVALID_OPTIONS", `option ${option} ${problem}`);
}
