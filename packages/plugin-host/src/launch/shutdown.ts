// SPDX-License-Identifier: Apache-2.0
import { setTimeout as sleep } from "node:timers/promises";
import { ownGroup, signalProcess } from "../process/process-group.ts";
import type { Connection } from "../connection/connection.ts";
import type { ProviderProcess } from "../process/provider-process.ts";

/**
 * Shuts a provider down: sends the request, waits `graceMs` for its exit, then kills it with all its descendants. Resolves when all of them
 * have ended. Calls in flight are not awaited: call `stop()` and wait for them first.
 *
 * @see go-plugin client.go, Client.Kill, which has no time limit for some steps
 */
export async function shutDown(process: ProviderProcess, connection: Connection, graceMs: number): Promise<void> {
  if (process.exit === undefined) {
    void request(process, connection);
    await Promise.race([process.ended, sleep(graceMs, undefined, { ref: false })]);
    process.kill();
  }
  await Promise.all([connection.close(), process.exited]);
}

async function request(process: ProviderProcess, connection: Connection): Promise<void> {
  const supported = await connection.requestShutdown();
  // A plugin without go-plugin's controller service may handle a signal.
  if (!supported && process.exit === undefined && ownGroup) signalProcess(process.pid, "SIGTERM");
  await connection.close();
}
