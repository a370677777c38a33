// SPDX-License-Identifier: Apache-2.0
import { setTimeout as sleep } from "node:timers/promises";
import { formatPluginAddress } from "@tenon/protocol/handshake";
import { parseReattachProviders, type ReattachProvider, reattachVariable } from "@tenon/protocol/reattach";
import { type Provider, ProviderError } from "@tenon/schema";
import { PluginHostError } from "../error.ts";
import { type CallSettings, resolveCalls } from "../call/call-settings.ts";
import { type ConnectionSettings, type ProtocolVersion, resolveConnection } from "../connection/connection-settings.ts";
import { type LogSettings, resolveLogLevel } from "../output/log-settings.ts";
import { isAlive, signalProcess } from "../process/process-group.ts";
import { createLogSink } from "../output/log-record.ts";
import type { Connection } from "../connection/connection.ts";
import { guardCalls } from "../call/guarded-calls.ts";
import { maskErrors } from "../observability/masked-errors.ts";
import { SessionSecrets } from "../observability/session-secrets.ts";
import { ProviderLife } from "../call/provider-life.ts";

/** How to attach to a running provider. */
export interface AttachOptions extends CallSettings, LogSettings, ConnectionSettings {
  /** Name of the provider in errors and log records. Default: its address. */
  readonly name?: string;
  /** Time limit for connecting, in milliseconds. Default: 10,000. */
  readonly connectTimeoutMs?: number;
  /** Time that a provider whose entry has no `test` has to shut down on close before it is killed, in milliseconds. Default: 2,000. */
  readonly shutdownGraceMs?: number;
}

/** A provider in a process that was started elsewhere, for example under a debugger. */
export interface AttachedProvider extends Provider {
  readonly name: string;
  readonly protocolVersion: ProtocolVersion;
  /** Id of the provider's process. When it ends, the provider has ended. */
  readonly pid: number;
}

/** Interval of checks whether the provider's process is running, in milliseconds; equal to that of Go hosts. */
const watchMs = 1_000;

/**
 * Returns the running providers in `TF_REATTACH_PROVIDERS`, by source address as written there. Empty if the variable is not set.
 *
 * @throws ProtocolError `REATTACH_MALFORMED`
 */
export function reattachProviders(
  environment: Readonly<Record<string, string | undefined>> = process.env,
): ReadonlyMap<string, ReattachProvider> {
  const text = environment[reattachVariable];
  return text === undefined || text === "" ? new Map() : parseReattachProviders(text);
}

/**
 * Connects to a provider that is already running. The connection is plaintext, and so only as private as the socket.
 *
 * `close()` leaves the provider running if its entry has `test`, and shuts it down otherwise.
 *
 * @throws PluginHostError `PROTOCOL_UNSUPPORTED`, `CONNECTION_FAILED`
 * @see go-plugin client.go, reattach
 *
 * @example
 * await using provider = await attachProvider(reattachProviders().get("me/notes")!);
 */
export async function attachProvider(entry: ReattachProvider, options: AttachOptions = {}): Promise<AttachedProvider> {
  const { address, pid, protocolVersion } = entry;
  const where = formatPluginAddress(address);
  const name = options.name ?? where;
  if (protocolVersion !== 5 && protocolVersion !== 6) {
    throw new PluginHostError(
      "PROTOCOL_UNSUPPORTED",
      `the provider ${name} speaks protocol ${protocolVersion}; only 5 and 6 are supported`,
    );
  }
  const calls = resolveCalls(options);
  const sink = createLogSink(options.onLog, resolveLogLevel(options));
  const { connect, dial } = await import("../connection/connection.ts");
  const client = dial({ address, connectTimeoutMs: options.connectTimeoutMs ?? 10_000, ...resolveConnection(options) });
  let connection: Connection;
  try {
    connection = await connect(client, { protocolVersion, provider: name, sink });
  } catch (cause) {
    await client.close();
    const state = isAlive(pid) ? `process ${pid} is running, but does not serve there` : `process ${pid} has ended: start it again`;
    throw new PluginHostError("CONNECTION_FAILED", `cannot attach to the provider ${name} at ${where}; ${state}`, { cause });
  }

  const life = new ProviderLife();
  const lost = (how: string): void => life.end(new ProviderError("UNAVAILABLE", `the provider ${name} at ${where} ${how}`));
  const watch = setInterval(() => {
    if (isAlive(pid)) return;
    lost(`has ended: its process ${pid} is no longer running`);
    void connection.close();
  }, watchMs).unref();
  const watchConnection = async (): Promise<void> => {
    await connection.closed;
    clearInterval(watch);
    lost(isAlive(pid) ? "closed the connection; attach to it again" : `has ended: its process ${pid} is no longer running`);
  };
  void watchConnection();

  let closing: Promise<void> | undefined;
  const close = (): Promise<void> => {
    life.end(new ProviderError("CLOSED", `the connection to the provider ${name} was closed; attach to it again to continue`));
    closing ??= entry.test ? connection.close() : end(pid, connection, options.shutdownGraceMs ?? 2_000);
    return closing;
  };
  return {
    ...maskErrors(guardCalls(connection.wire, name, life, calls), new SessionSecrets()),
    name,
    protocolVersion,
    pid,
    close,
    [Symbol.asyncDispose]: close,
  };
}

/** Shuts down a provider that is not a child process, whose exit has to be polled. */
async function end(pid: number, connection: Connection, graceMs: number): Promise<void> {
  const deadline = performance.now() + graceMs;
  void connection.requestShutdown();
  while (isAlive(pid) && performance.now() < deadline) await sleep(20);
  if (isAlive(pid)) signalProcess(pid, "SIGKILL");
  await connection.close();
}
