// SPDX-License-Identifier: Apache-2.0
import { writeSync } from "node:fs";
import { BridgeError } from "../../error.ts";
import { parseCommandLine } from "./command-line.ts";
import type { PluginSettings } from "./plugin-session.ts";
import type { PluginServer } from "./plugin-server.ts";
import { listenOnLoopback, printPort } from "./port-listener.ts";

/** The settings of a plugin that are known before its start. */
type ServedPlugin = Pick<PluginSettings, "name" | "version" | "openOwn" | "openSelected" | "exactNumbers">;

/** Time for the plugin to end after a signal, in milliseconds. The engine kills it after five seconds. */
const endMs = 4_500;

/**
 * Serves a plugin to the engine that started this process, until the engine ends it. Prints the port before anything large is loaded.
 *
 * Without the address of an engine, the process waits for engines to attach (`PULUMI_DEBUG_PROVIDERS`).
 *
 * @param load - loads the settings, after the port was printed.
 */
export async function servePlugin(load: () => Promise<ServedPlugin>): Promise<void> {
  const commandLine = parseOrExit(process.argv.slice(2));
  let server: PluginServer | undefined;
  let ending = false;
  const end = (): void => {
    if (ending) return;
    ending = true;
    setTimeout(() => process.exit(0), endMs).unref();
    void (server?.close() ?? Promise.resolve()).then(
      () => process.exit(0),
      () => process.exit(0),
    );
  };
  for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) process.on(signal, end);
  const listener = await listenOnLoopback();
  printPort(listener.port);
  const [{ startPluginServer }, settings] = await Promise.all([import("./plugin-server.ts"), load().catch(unusable)]);
  if (ending) return;
  server = startPluginServer({
    settings: { ...settings, environment: process.env, verbose: commandLine.verbosity > 0 },
    listener,
    engineAddress: commandLine.engineAddress,
    onEngineEnd: end,
  });
}

/** Settings of a plugin that could not be loaded. Every call that needs its provider fails with the reason, which the engine shows. */
function unusable(cause: unknown): ServedPlugin {
  const error = new BridgeError(
    "PROVIDER_FAILED",
    `the plugin cannot be loaded: ${cause instanceof Error ? cause.message : String(cause)}`,
    {
      cause,
    },
  );
  return { name: "", version: "0.0.0", openOwn: () => Promise.reject(error) };
}

function parseOrExit(args: readonly string[]): ReturnType<typeof parseCommandLine> {
  try {
    return parseCommandLine(args);
  } catch (error) {
    writeSync(2, `${error instanceof Error ? error.message : String(error)}\n`);
    return process.exit(1);
  }
}
