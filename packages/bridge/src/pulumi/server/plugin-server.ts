// SPDX-License-Identifier: Apache-2.0
import { createCarrierServer } from "@tenon/protocol/carrier/server";
import type { PluginSettings } from "./plugin-session.ts";
import type { PortListener } from "./port-listener.ts";
import { providerService } from "./provider-service.ts";
import { SessionRegistry } from "./session-registry.ts";

/** Maximum size of a message, in bytes, as in the engine. */
const maxMessageBytes = 400 * 1024 * 1024;

/** Interval of the check whether the engine still runs, in milliseconds. */
const watchIntervalMs = 1_000;

/** Options of {@link startPluginServer}. */
export interface PluginServerOptions {
  readonly settings: PluginSettings;
  readonly listener: PortListener;
  /** Address of the engine that started the plugin; undefined if engines attach. */
  readonly engineAddress: string | undefined;
  /** Called when the engine has ended. */
  readonly onEngineEnd: () => void;
}

/** A plugin that serves engines. */
export interface PluginServer {
  /** Asks providers to stop, and ends them and all connections. */
  close(): Promise<void>;
}

/** Serves the connections of a listener. */
export function startPluginServer({ settings, listener, engineAddress, onEngineEnd }: PluginServerOptions): PluginServer {
  const sessions = new SessionRegistry(settings, engineAddress);
  const server = createCarrierServer({
    services: [providerService(sessions)],
    readMaxBytes: maxMessageBytes,
    writeMaxBytes: maxMessageBytes,
    onSessionClose: (connection) => sessions.disconnected(connection),
  });
  listener.handOver((socket) => server.accept(socket));
  const watch = sessions.only === undefined ? undefined : watchEngine(sessions.only.log?.closed, onEngineEnd);
  return {
    async close() {
      watch?.stop();
      listener.close();
      await sessions.close();
      await server.close();
    },
  };
}

/**
 * Watches the engine that started the plugin: its process is the parent, and the connection to it closes when it ends. This is necessary because
 * the engine does not end its plugins if it is killed itself.
 */
function watchEngine(closed: Promise<unknown> | undefined, onEnd: () => void): { stop(): void } {
  const parent = process.ppid;
  let stopped = false;
  const stop = (): void => {
    stopped = true;
    clearInterval(timer);
  };
  const end = (): void => {
    if (stopped) return;
    stop();
    onEnd();
  };
  const timer = setInterval(() => {
    if (process.ppid !== parent) end();
  }, watchIntervalMs).unref();
  void closed?.then(end);
  return { stop };
}
