// SPDX-License-Identifier: Apache-2.0
import { setTimeout as sleep } from "node:timers/promises";
import { formatPluginAddress } from "@tenon/protocol/handshake";
import { parseReattachProviders, type ReattachProvider, reattachVariable } from "@tenon/protocol/reattach";
import { type Provider, ProviderError } from "@tenon/schema";
import { PluginHostError } from "../error.ts";
import {
  type CallSettings,
  type ConnectionSettings,
  type LogSettings,
  type ProtocolVersion,
  resolveCalls,
  resolveConnection,
  resolveLogLevel,
} from "../launch/launch-options.ts";
import { isAlive, signalProcess } from "../orphans/process-group.ts";
import { createLogSink } from "../output/log-record.ts";
import type { Connection } from "../provider/connection.ts";
import { guardCalls } from "../provider/guarded-calls.ts";
import { ProviderLife } from "../provider/provider-life.ts";

/** How a running provider is attached to. */
export interface AttachOptions extends CallSettings, LogSettings, ConnectionSettings {
  /** What the provider is called in errors and log records. Default: its address. */
  readonly name?: string;
  /** How long the connection may take to come about, in milliseconds. Default: 10,000. */
  readonly connectTimeoutMs?: number;
  /** How long a provider that is not to be left running may take to end, in milliseconds; it is killed then. Default: 2,000. */
  readonly shutdownGraceMs?: number;
}

/** A provider in a process that somebody else started, for example under a debugger. */
export interface AttachedProvider extends Provider {
  readonly name: string;
  readonly protocolVersion: ProtocolVersion;
  /** The process that stands for the provider: when it is gone, so is the provider. */
  readonly pid: number;
}

/** How often the provider's process is looked for, in milliseconds. A host written in Go does the same. */
const watchMs = 1_000;

/**
 * The running providers an environment names in `TF_REATTACH_PROVIDERS`, by source address as written there. None where it is
 * not set.
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
 * Connects to a provider that runs already. The connection is in plaintext, and so as private as the socket.
 *
 * `close()` leaves the provider running where its entry says `test`, and otherwise ends it.
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
    throw new PluginHostError("PROTOCOL_UNSUPPORTED", `the provider ${name} speaks protocol ${protocolVersion}; 5 and 6 are spoken here`);
  }
  const calls = resolveCalls(options);
  const sink = createLogSink(options.onLog, resolveLogLevel(options));
  const { connect, dial } = await import("../provider/connection.ts");
  const client = dial({ address, connectTimeoutMs: options.connectTimeoutMs ?? 10_000, ...resolveConnection(options) });
  let connection: Connection;
  try {
    connection = await connect(client, { protocolVersion, provider: name, sink });
  } catch (cause) {
    await client.close();
    const state = isAlive(pid) ? `process ${pid} is there, but does not serve there` : `process ${pid} is gone: start it again`;
    throw new PluginHostError("CONNECTION_FAILED", `cannot attach to the provider ${name} at ${where}; ${state}`, { cause });
  }

  const life = new ProviderLife();
  const lost = (how: string): void => life.end(new ProviderError("UNAVAILABLE", `the provider ${name} at ${where} ${how}`));
  const watch = setInterval(() => {
    if (isAlive(pid)) return;
    lost(`is gone: its process ${pid} has ended`);
    void connection.close();
  }, watchMs).unref();
  const watchConnection = async (): Promise<void> => {
    await connection.closed;
    clearInterval(watch);
    lost(isAlive(pid) ? "closed the connection; attach to it again" : `is gone: its process ${pid} has ended`);
  };
  void watchConnection();

  let closing: Promise<void> | undefined;
  const close = (): Promise<void> => {
    life.end(new ProviderError("CLOSED", `the connection to the provider ${name} was closed; attach to it again to go on`));
    closing ??= entry.test ? connection.close() : end(pid, connection, options.shutdownGraceMs ?? 2_000);
    return closing;
  };
  return { ...guardCalls(connection.wire, name, life, calls), name, protocolVersion, pid, close, [Symbol.asyncDispose]: close };
}

/** Ends a provider whose exit nobody tells us of. */
async function end(pid: number, connection: Connection, graceMs: number): Promise<void> {
  const deadline = performance.now() + graceMs;
  void connection.askToEnd();
  while (isAlive(pid) && performance.now() < deadline) await sleep(20);
  if (isAlive(pid)) signalProcess(pid, "SIGKILL");
  await connection.close();
}
