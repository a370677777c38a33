// SPDX-License-Identifier: Apache-2.0
import type { CarrierSession } from "@tenon/protocol/carrier";
import { PluginSession, type PluginSettings } from "./plugin-session.ts";

/**
 * Sessions of engines by connection.
 *
 * A plugin that an engine started has one session for all connections. A plugin that engines attach to has one for each engine: it begins
 * with a handshake on a new connection. An engine may close an idle connection and open another one without a handshake; that one continues
 * the session whose connection was closed last.
 */
export class SessionRegistry {
  readonly #settings: PluginSettings;
  readonly #only: PluginSession | undefined;
  readonly #byConnection = new Map<CarrierSession, PluginSession>();
  /** Sessions without a connection, in the order in which they lost their connections. */
  readonly #waiting: PluginSession[] = [];

  constructor(settings: PluginSettings, engineAddress: string | undefined) {
    this.#settings = settings;
    this.#only = engineAddress === undefined ? undefined : new PluginSession(settings, engineAddress);
  }

  /** The session of the engine that started the plugin; undefined if engines attach. */
  get only(): PluginSession | undefined {
    return this.#only;
  }

  /** The session of a connection, for a handshake: a new one, unless the connection has one. */
  begun(connection: CarrierSession): PluginSession {
    if (this.#only) return this.#only;
    const known = this.#byConnection.get(connection);
    if (known) return known;
    const session = new PluginSession(this.#settings);
    this.#byConnection.set(connection, session);
    return session;
  }

  /** The session of a connection, for any other call. */
  continued(connection: CarrierSession): PluginSession {
    if (this.#only) return this.#only;
    const known = this.#byConnection.get(connection);
    if (known) return known;
    const session = this.#waiting.pop();
    if (session === undefined) return this.begun(connection);
    this.#byConnection.set(connection, session);
    return session;
  }

  /** Keeps the session of a connection that has ended. */
  disconnected(connection: CarrierSession): void {
    const session = this.#byConnection.get(connection);
    if (session === undefined) return;
    this.#byConnection.delete(connection);
    if (session.signal.aborted) void session.close();
    else this.#waiting.push(session);
  }

  /** Ends all sessions. */
  async close(): Promise<void> {
    const sessions = new Set([...this.#byConnection.values(), ...this.#waiting, ...(this.#only ? [this.#only] : [])]);
    await Promise.all([...sessions].map((session) => session.close()));
  }
}
