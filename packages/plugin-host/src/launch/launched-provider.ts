// SPDX-License-Identifier: Apache-2.0
import { setTimeout as sleep } from "node:timers/promises";
import type { PluginAddress } from "@tenon/protocol/handshake";
import type { ReattachProvider } from "@tenon/protocol/reattach";
import { type Provider, ProviderError } from "@tenon/schema";
import { PluginHostError, type ProcessExit } from "../error.ts";
import type { CallSettings } from "../call/call-settings.ts";
import type { ProtocolVersion } from "../connection/connection-settings.ts";
import { describeEnd, type ProviderProcess } from "../process/provider-process.ts";
import { shutDown } from "./shutdown.ts";
import type { Connection } from "../connection/connection.ts";
import { guardCalls } from "../call/guarded-calls.ts";
import { ProviderLife } from "../call/provider-life.ts";
import { maskErrors } from "../observability/masked-errors.ts";
import { SessionSecrets } from "../observability/session-secrets.ts";

/** Start-up times in milliseconds, from the start of the process. */
export interface StartupTimes {
  /** Until the handshake line was read. */
  readonly handshakeMs: number;
  /** Until the provider could be called. */
  readonly connectedMs: number;
}

/**
 * A provider in a separate process. It keeps this process running until it is closed, as any child process does, and always ends with this
 * process. If the process crashes, calls in flight and later calls reject with a `ProviderError` `UNAVAILABLE` whose message has the exit
 * code or signal and the panic text; its cause is a `PluginHostError` `PROVIDER_CRASHED`.
 */
export interface LaunchedProvider extends Provider {
  /** Name of the provider in errors and log records. */
  readonly name: string;
  /** The negotiated major version of the provider protocol. */
  readonly protocolVersion: ProtocolVersion;
  readonly pid: number;
  readonly startup: StartupTimes;
  /**
   * The entry for `TF_REATTACH_PROVIDERS`, with which a CLI or another host attaches to this process. Absent if the connection uses TLS:
   * launch the provider with `autoMtls: false`.
   */
  readonly reattach?: ReattachProvider;
  /** Resolves when the process has ended and its output has been read. Never rejects. */
  readonly exited: Promise<ProcessExit>;
}

/**
 * Time that a process has to end after its connection is lost, before it is killed, in milliseconds. A crashing process may still print its
 * panic.
 */
const lostConnectionMs = 1_000;

/** Combines a process and the connection to it. */
export function createLaunchedProvider(
  process: ProviderProcess,
  connection: Connection,
  options: {
    readonly name: string;
    readonly protocolVersion: ProtocolVersion;
    readonly startup: StartupTimes;
    /** The address at which a host without a certificate can connect; undefined if the connection uses TLS. */
    readonly openAddress: PluginAddress | undefined;
    readonly shutdownGraceMs: number;
    readonly calls: CallSettings;
  },
): LaunchedProvider {
  const { name, protocolVersion, startup, openAddress: address } = options;
  const life = new ProviderLife();
  const secrets = new SessionSecrets();
  let closing: Promise<void> | undefined;

  const watchProcess = async (): Promise<void> => {
    await process.ended;
    life.beginEnd();
    await process.exited;
    life.end(crashed(process, secrets));
    await connection.close();
  };
  const watchConnection = async (): Promise<void> => {
    await connection.closed;
    life.beginEnd();
    if (closing !== undefined) return;
    // The host never reconnects to a provider, so a process without a connection is useless.
    await Promise.race([process.ended, sleep(lostConnectionMs, undefined, { ref: false })]);
    if (process.exit === undefined) process.kill();
  };
  void watchProcess();
  void watchConnection();

  const close = (): Promise<void> => {
    life.end(new ProviderError("CLOSED", `the provider ${name} was closed; launch another to continue`));
    closing ??= shutDown(process, connection, options.shutdownGraceMs);
    return closing;
  };
  return {
    ...maskErrors(guardCalls(connection.wire, name, life, options.calls), secrets),
    name,
    protocolVersion,
    pid: process.pid,
    startup,
    ...(address ? { reattach: { protocolVersion, pid: process.pid, test: true, address } } : {}),
    exited: process.exited,
    close,
    [Symbol.asyncDispose]: close,
  };
}

function crashed(process: ProviderProcess, secrets: SessionSecrets): ProviderError {
  const report = process.report((text) => secrets.hide(text));
  const message = describeEnd(report);
  return new ProviderError("UNAVAILABLE", message, { cause: new PluginHostError("PROVIDER_CRASHED", message, { process: report }) });
}
