// SPDX-License-Identifier: Apache-2.0
import type { ClientConfig } from "pg";
import { EngineError, type LockInfo } from "../../error.ts";
import { conflictError, contentVersion } from "./content-version.ts";
import { lockedError } from "./lock-info.ts";
import { loadOptional } from "../../optional-package.ts";
import { Connection, storeError, type Row } from "./postgres-client.ts";
import { readConnectionString } from "./postgres-connection.ts";
import {
  defaultWorkspace,
  type StateLock,
  type StateStore,
  type StoreCallOptions,
  type StoredContent,
  type WorkspaceStore,
  type WriteOptions,
} from "./state-store.ts";

/** Settings of a PostgreSQL store. They are those of OpenTofu's `pg` backend. */
export interface PostgresStateOptions {
  /** A `postgres://` URL, or `host=… dbname=…`. Default: the environment variables of PostgreSQL, such as `PGHOST`. */
  readonly connectionString?: string;
  /** Default `terraform_remote_state`. */
  readonly schemaName?: string;
  /** Whether the schema exists already. Default: false, and the store creates it. */
  readonly skipSchemaCreation?: boolean;
  /** Default `states`. */
  readonly tableName?: string;
  /** Whether the table exists already. Default: false, and the store creates it. */
  readonly skipTableCreation?: boolean;
  /** Default `states_by_name`. */
  readonly indexName?: string;
  /** Whether the index exists already. Default: false, and the store creates it. */
  readonly skipIndexCreation?: boolean;
  /** Environment variables. Default: those of the process. */
  readonly variables?: Readonly<Record<string, string | undefined>>;
}

/**
 * A store in a PostgreSQL database. It shares states, locks and workspaces with OpenTofu's `pg` backend. It needs the package `pg`.
 *
 * A lock is an advisory lock of a connection that stays open, so the server releases it when this process ends. The server has no
 * description of who holds a lock. A write with a lock uses the connection of the lock: it fails if the lock was lost with the connection.
 *
 * Nothing is connected or created until the first call.
 *
 * @throws EngineError `INVALID_OPTIONS` for a malformed connection string.
 * @see OpenTofu internal/backend/remote-state/pg
 */
export function postgresState(options: PostgresStateOptions = {}): StateStore {
  return new PostgresStore(options);
}

/** The sequence of the rows' numbers. It is the same for all schemas, because advisory locks are numbers for the whole database. */
const sequence = "public.global_states_id_seq";

class PostgresStore implements StateStore {
  readonly layout = "compact";
  readonly id: string;
  readonly #options: PostgresStateOptions;
  readonly #config: ClientConfig;
  readonly table: string;
  /** The advisory lock of workspaces that have no row yet. */
  readonly creationLock: string;
  /** Locks that this store holds, by workspace. */
  readonly held: Map<string, { readonly info: LockInfo; readonly connection: Connection; release(): Promise<void> }> = new Map();
  #prepared: Promise<void> | undefined;

  constructor(options: PostgresStateOptions) {
    this.#options = options;
    this.#config = readConnectionString(options.connectionString ?? "", options.variables ?? process.env);
    const { schemaName = "terraform_remote_state", tableName = "states" } = options;
    this.table = `${quote(schemaName)}.${quote(tableName)}`;
    const { host, port, user, database = user } = this.#config;
    this.id = `pg ${JSON.stringify([host, port ?? 5432, database ?? "", schemaName, tableName])}`;
    this.creationLock = `-${fnv32(`${schemaName}\0${tableName}`)}`;
  }

  async workspaces(options: StoreCallOptions = {}): Promise<readonly string[]> {
    const query = `SELECT name FROM ${this.table} WHERE name != 'default'`;
    const rows = await this.use((connection) => connection.query("list the workspaces", query, [], options));
    return [defaultWorkspace, ...rows.map(({ name }) => String(name)).sort()];
  }

  workspace(name: string): WorkspaceStore {
    if (name === "") throw new EngineError("INVALID_OPTIONS", "the name of a workspace is empty");
    return new PostgresState(this, name);
  }

  async deleteWorkspace(name: string, options: StoreCallOptions = {}): Promise<void> {
    if (name === defaultWorkspace) throw new EngineError("INVALID_OPTIONS", 'the workspace "default" cannot be deleted');
    const query = `DELETE FROM ${this.table} WHERE name = $1 RETURNING name`;
    const rows = await this.use((connection) => connection.query("delete the workspace", query, [name], options));
    if (rows.length === 0) throw new EngineError("WORKSPACE_NOT_FOUND", `there is no workspace ${JSON.stringify(name)} in ${this.table}`);
  }

  async close(): Promise<void> {
    for (const { connection } of this.held.values()) await connection.close();
    this.held.clear();
  }

  /** Runs queries on a connection of their own. */
  async use<T>(run: (connection: Connection) => Promise<T>): Promise<T> {
    const connection = await this.connect();
    try {
      return await run(connection);
    } finally {
      await connection.close();
    }
  }

  /** Opens a connection. The first one prepares the schema, the table and the index. */
  async connect(): Promise<Connection> {
    const { default: pg } = await loadOptional("pg", "a PostgreSQL store", () => import("pg"));
    const connection = new Connection(new pg.Client(this.#config));
    try {
      await connection.client.connect();
    } catch (error) {
      await connection.close();
      throw storeError("connect", error);
    }
    try {
      const preparing = (this.#prepared ??= this.#prepare(connection));
      await preparing;
    } catch (error) {
      this.#prepared = undefined;
      await connection.close();
      throw error;
    }
    return connection;
  }

  /** @see OpenTofu internal/backend/remote-state/pg, Backend.configure */
  async #prepare(connection: Connection): Promise<void> {
    const { schemaName = "terraform_remote_state", indexName = "states_by_name" } = this.#options;
    const { skipSchemaCreation = false, skipTableCreation = false, skipIndexCreation = false } = this.#options;
    if (!skipSchemaCreation) {
      // `IF NOT EXISTS` needs the privilege to create schemas even if the schema exists. A user may lack it.
      const query = "SELECT 1 FROM information_schema.schemata WHERE schema_name = $1";
      const existing = await connection.query("find the schema", query, [schemaName]);
      if (existing.length === 0) await connection.query("create the schema", `CREATE SCHEMA IF NOT EXISTS ${quote(schemaName)}`);
    }
    if (!skipTableCreation) {
      await connection.query("create the sequence", `CREATE SEQUENCE IF NOT EXISTS ${sequence} AS bigint`);
      const columns = `id bigint NOT NULL DEFAULT nextval('${sequence}') PRIMARY KEY, name text UNIQUE, data text`;
      await connection.query("create the table", `CREATE TABLE IF NOT EXISTS ${this.table} (${columns})`);
    }
    if (!skipIndexCreation) {
      await connection.query("create the index", `CREATE UNIQUE INDEX IF NOT EXISTS ${quote(indexName)} ON ${this.table} (name)`);
    }
  }
}

class PostgresState implements WorkspaceStore {
  readonly #store: PostgresStore;
  readonly #name: string;

  constructor(store: PostgresStore, name: string) {
    this.#store = store;
    this.#name = name;
  }

  get #where(): string {
    return `workspace ${this.#name} of ${this.#store.table}`;
  }

  /** Uses the connection of the lock if this store holds it. */
  #use<T>(run: (connection: Connection) => Promise<T>): Promise<T> {
    const held = this.#store.held.get(this.#name);
    return held === undefined ? this.#store.use(run) : held.connection.exclusively(run);
  }

  async read(options: StoreCallOptions = {}): Promise<StoredContent | undefined> {
    const query = `SELECT data FROM ${this.#store.table} WHERE name = $1`;
    const [row] = await this.#use((connection) => connection.query("read the state", query, [this.#name], options));
    return storedContent(row);
  }

  async write(content: Uint8Array, { expected, ...options }: WriteOptions): Promise<string> {
    const { table } = this.#store;
    const version = contentVersion(content);
    const data = Buffer.from(content).toString();
    await this.#use(async (connection) => {
      const query = (text: string, values?: readonly unknown[]): Promise<Row[]> =>
        connection.query("write the state", text, values, options);
      await query("BEGIN");
      try {
        const [row] = await query(`SELECT data FROM ${table} WHERE name = $1 FOR UPDATE`, [this.#name]);
        if (storedContent(row)?.version !== expected) throw conflictError(this.#where);
        const written =
          row === undefined
            ? await query(`INSERT INTO ${table} (name, data) VALUES ($1, $2) ON CONFLICT (name) DO NOTHING RETURNING id`, [
                this.#name,
                data,
              ])
            : await query(`UPDATE ${table} SET data = $2 WHERE name = $1 RETURNING id`, [this.#name, data]);
        if (written.length === 0) throw conflictError(this.#where);
        await query("COMMIT");
      } catch (error) {
        await connection.query("write the state", "ROLLBACK").catch(() => undefined);
        throw error;
      }
    });
    return version;
  }

  /** @see OpenTofu internal/backend/remote-state/pg, RemoteClient.Lock */
  async lock(info: LockInfo, options: StoreCallOptions = {}): Promise<StateLock> {
    const { held } = this.#store;
    const holder = held.get(this.#name);
    if (holder !== undefined) throw lockedError(this.#where, holder.info);
    // Advisory locks belong to the connection, and one connection could take a lock twice.
    const connection = await this.#store.connect();
    try {
      const number = await this.#lockNumber(connection, options);
      const lock: LockInfo = { ...info, Path: number };
      if (held.has(this.#name)) throw lockedError(this.#where, held.get(this.#name)!.info);
      const release = async (): Promise<void> => {
        if (held.get(this.#name)?.info !== lock) return;
        held.delete(this.#name);
        try {
          await connection.exclusively(() => connection.query("unlock the state", "SELECT pg_advisory_unlock($1)", [number]));
        } finally {
          await connection.close();
        }
      };
      held.set(this.#name, { info: lock, connection, release });
      return { info: lock, unlock: release };
    } catch (error) {
      await connection.close();
      throw error;
    }
  }

  /** Takes the advisory lock of the workspace; returns its number. */
  async #lockNumber(connection: Connection, options: StoreCallOptions): Promise<string> {
    const { table, creationLock } = this.#store;
    const query = (text: string, values: readonly unknown[]): Promise<Row[]> => connection.query("lock the state", text, values, options);
    const [row] = await query(
      `SELECT id, pg_try_advisory_lock(id) AS "isLocked", pg_try_advisory_lock($1) AS "isCreationLocked" FROM ${table} WHERE name = $2`,
      [creationLock, this.#name],
    );
    if (row === undefined) {
      // A workspace without a row has no number yet. It uses the lock that all creations of workspaces share.
      const [created] = await query('SELECT pg_try_advisory_lock($1) AS "isLocked"', [creationLock]);
      if (created?.["isLocked"] !== true) throw this.#lockedBy("another run is creating a workspace");
      return creationLock;
    }
    // The connection is closed after an error, and its locks end with it.
    if (row["isLocked"] !== true) throw lockedError(this.#where, undefined);
    if (row["isCreationLocked"] !== true) throw this.#lockedBy("another run is creating a workspace");
    await query("SELECT pg_advisory_unlock($1)", [creationLock]);
    return String(row["id"]);
  }

  #lockedBy(reason: string): EngineError {
    return new EngineError("STATE_LOCKED", `the state at ${this.#where} is locked: ${reason}; wait for that run to end`);
  }

  async forceUnlock(id: string): Promise<void> {
    const holder = this.#store.held.get(this.#name);
    if (holder?.info.ID === id) return holder.release();
    if (holder !== undefined) throw lockedError(this.#where, holder.info);
    // The server releases the lock of another process only when that process closes its connection; OpenTofu ignores this, too.
  }
}

function storedContent(row: Row | undefined): StoredContent | undefined {
  const data = row?.["data"];
  if (typeof data !== "string" || data === "") return undefined;
  const content = new Uint8Array(Buffer.from(data));
  return { content, version: contentVersion(content) };
}

function quote(identifier: string): string {
  return `"${identifier.replaceAll('"', '""')}"`;
}

/** The FNV-1 hash of a text, in 32 bits. */
function fnv32(text: string): number {
  let hash = 0x811c9dc5;
  for (const byte of Buffer.from(text)) hash = (Math.imul(hash, 0x01000193) ^ byte) >>> 0;
  return hash;
}
