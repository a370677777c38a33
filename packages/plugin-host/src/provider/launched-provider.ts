// SPDX-License-Identifier: Apache-2.0
import { setTimeout as sleep } from "node:timers/promises";
import type { PluginAddress } from "@tenon/protocol/handshake";
import type { ReattachProvider } from "@tenon/protocol/reattach";
import { type Provider, ProviderError } from "@tenon/schema";
import { PluginHostError, type ProcessExit } from "../error.ts";
import type { CallSettings, ProtocolVersion } from "../launch/launch-options.ts";
import { describeEnd, type ProviderProcess } from "../launch/process.ts";
import { shutDown } from "../launch/shutdown.ts";
import type { Connection } from "./connection.ts";
import { guardCalls } from "./guarded-calls.ts";
import { ProviderLife } from "./provider-life.ts";

/** How long a start took, in milliseconds from when the process was started. */
export interface StartupTimes {
  /** Until the provider's handshake line was read. */
  readonly handshakeMs: number;
  /** Until it could be called. */
  readonly connectedMs: number;
}

/**
 * A provider in a process of its own. It keeps this process running until it is closed, as any child process does, and ends
 * with it in any case.
 *
 * When the process dies, calls under way and later ones reject with a `ProviderError` `UNAVAILABLE` that says how it ended and
 * what it said; its cause is a `PluginHostError` `PROVIDER_CRASHED`.
 */
export interface LaunchedProvider extends Provider {
  /** What it is called in errors and log records. */
  readonly name: string;
  /** The major version of the provider protocol that is spoken with it. */
  readonly protocolVersion: ProtocolVersion;
  readonly pid: number;
  readonly startup: StartupTimes;
  /**
   * What `TF_REATTACH_PROVIDERS` says of it, so that a CLI or another host uses this very process and leaves it running. Absent where
   * the connection is protected: launch it with `autoMtls: false`.
   */
  readonly reattach?: ReattachProvider;
  /** Fulfilled, never rejected, when the process has ended and its output has been read. */
  readonly exited: Promise<ProcessExit>;
}

/** How long a process may outlive its connection before it is killed, in milliseconds. A dying one may still be talking. */
const lostConnectionMs = 1_000;

/** Joins a process and the connection to it. */
export function createLaunchedProvider(
  process: ProviderProcess,
  connection: Connection,
  options: {
    readonly name: string;
    readonly protocolVersion: ProtocolVersion;
    readonly startup: StartupTimes;
    /** Where a host that was given no certificate can reach it; undefined where none can. */
    readonly openAddress: PluginAddress | undefined;
    readonly shutdownGraceMs: number;
    readonly calls: CallSettings;
  },
): LaunchedProvider {
  const { name, protocolVersion, startup, openAddress: address } = options;
  const life = new ProviderLife();
  let closing: Promise<void> | undefined;

  const watchProcess = async (): Promise<void> => {
    await process.ended;
    life.goDown();
    await process.exited;
    life.end(crashed(process));
    await connection.close();
  };
  const watchConnection = async (): Promise<void> => {
    await connection.closed;
    life.goDown();
    if (closing !== undefined) return;
    // There is no second connection: what cannot be reached is of no use.
    await Promise.race([process.ended, sleep(lostConnectionMs, undefined, { ref: false })]);
    if (process.exit === undefined) process.kill();
  };
  void watchProcess();
  void watchConnection();

  const close = (): Promise<void> => {
    life.end(new ProviderError("CLOSED", `the provider ${name} was closed; launch another to go on`));
    closing ??= shutDown(process, connection, options.shutdownGraceMs);
    return closing;
  };
  return {
    ...guardCalls(connection.wire, name, life, options.calls),
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

function crashed(process: ProviderProcess): ProviderError {
  const report = process.report();
  const message = describeEnd(report);
  return new ProviderError("UNAVAILABLE", message, { cause: new PluginHostError("PROVIDER_CRASHED", message, { process: report }) });
}
