// SPDX-License-Identifier: Apache-2.0
import { setTimeout as sleep } from "node:timers/promises";
import { ownGroup, signalProcess } from "../orphans/process-group.ts";
import type { Connection } from "../provider/connection.ts";
import type { ProviderProcess } from "./process.ts";

/**
 * Ends a provider: asks it, gives it `graceMs` to end by itself, then kills it with all its descendants. Fulfilled when
 * nothing of it is left. What it is doing is not waited for: call `stop()` and wait for the answers before.
 *
 * @see go-plugin client.go, Client.Kill; unlike there, no step is waited for without a limit
 */
export async function shutDown(process: ProviderProcess, connection: Connection, graceMs: number): Promise<void> {
  if (process.exit === undefined) {
    void ask(process, connection);
    await Promise.race([process.ended, sleep(graceMs, undefined, { ref: false })]);
    process.kill();
  }
  await Promise.all([connection.close(), process.exited]);
}

async function ask(process: ProviderProcess, connection: Connection): Promise<void> {
  const understood = await connection.askToEnd();
  // A plugin without go-plugin's controller may know what a signal means.
  if (!understood && process.exit === undefined && ownGroup) signalProcess(process.pid, "SIGTERM");
  await connection.close();
}
