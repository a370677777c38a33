// SPDX-License-Identifier: Apache-2.0
import { createHash } from "node:crypto";
import { setTimeout as delay } from "node:timers/promises";
import type * as Dynamodb from "@aws-sdk/client-dynamodb";
import { EngineError, type LockInfo } from "../../error.ts";
import type { AwsConnection } from "../../aws/aws-connection.ts";
import { awsError, awsFailure } from "./aws-failure.ts";
import { parseLockInfo } from "./lock-info.ts";
import { loadOptional } from "../../optional-package.ts";
import type { StoreCallOptions, StoredContent } from "./state-store.ts";

type Sdk = typeof Dynamodb;

/** Opens the access to a DynamoDB table whose key is the string `LockID`. */
export async function openLockTable(name: string, connection: AwsConnection, endpoint: string | undefined): Promise<DynamodbLockTable> {
  const sdk = await loadOptional("@aws-sdk/client-dynamodb", "the DynamoDB table of an s3 store", () => import("@aws-sdk/client-dynamodb"));
  return new DynamodbLockTable(sdk, new sdk.DynamoDBClient({ ...connection, ...(endpoint && { endpoint }) }), name);
}

const pollIntervalMs = 2000;

/** The locks and checksums of states in a DynamoDB table. @see OpenTofu internal/backend/remote-state/s3 */
export class DynamodbLockTable {
  readonly #sdk: Sdk;
  readonly #client: Dynamodb.DynamoDBClient;
  readonly #name: string;

  constructor(sdk: Sdk, client: Dynamodb.DynamoDBClient, name: string) {
    this.#sdk = sdk;
    this.#client = client;
    this.#name = name;
  }

  /** Creates a lock. Returns `created`, or the lock that exists; undefined if its description is malformed. */
  async createLock(item: string, text: string, id: string, options: StoreCallOptions): Promise<LockInfo | "created" | undefined> {
    const command = new this.#sdk.PutItemCommand({
      TableName: this.#name,
      Item: { LockID: { S: item }, Info: { S: text } },
      ConditionExpression: "attribute_not_exists(LockID)",
    });
    try {
      await this.#client.send(command, call(options));
      return "created";
    } catch (error) {
      if (awsFailure(error).name !== "ConditionalCheckFailedException") throw this.#failure("lock the state", error, options);
      const stored = await this.#get(item, "Info", options);
      const holder = stored === undefined ? undefined : parseLockInfo(stored);
      // An earlier attempt, whose response was lost, may have created the lock.
      return holder?.ID === id ? "created" : holder;
    }
  }

  /** Removes a lock with an ID. Returns the lock that exists if its ID is another one. */
  async removeLock(item: string, id: string, options: StoreCallOptions): Promise<LockInfo | undefined> {
    const stored = await this.#get(item, "Info", options);
    if (stored === undefined) return undefined;
    const holder = parseLockInfo(stored);
    if (holder?.ID !== id) return holder;
    const command = new this.#sdk.DeleteItemCommand({
      TableName: this.#name,
      Key: { LockID: { S: item } },
      ConditionExpression: "Info = :info",
      ExpressionAttributeValues: { ":info": { S: stored } },
    });
    try {
      await this.#client.send(command, call(options));
      return undefined;
    } catch (error) {
      throw this.#failure("unlock the state", error, options);
    }
  }

  /**
   * Reads a state, and reads it again until it matches the checksum in the table.
   *
   * @throws EngineError `STORE_FAILED` with OpenTofu's text if the state does not match before the timeout.
   */
  async readConsistent(
    item: string,
    read: () => Promise<StoredContent | undefined>,
    options: StoreCallOptions & { readonly timeoutMs: number },
  ): Promise<StoredContent | undefined> {
    const end = performance.now() + options.timeoutMs;
    for (;;) {
      const stored = await read();
      const digest = stored === undefined ? "" : md5(stored.content);
      const expected = await this.#digest(item, options);
      if (expected === undefined || expected === digest) return stored;
      const remaining = end - performance.now();
      if (remaining <= 0) throw new EngineError("STORE_FAILED", badChecksum(digest));
      await delay(Math.min(pollIntervalMs, remaining), undefined, options.signal === undefined ? {} : { signal: options.signal });
    }
  }

  /** The checksum of a state; undefined if the table has none or cannot be read. As in OpenTofu, the state is then not checked. */
  async #digest(item: string, options: StoreCallOptions): Promise<string | undefined> {
    try {
      const digest = await this.#get(digestItem(item), "Digest", options);
      return digest !== undefined && /^[\da-f]{32}$/i.test(digest) ? digest.toLowerCase() : undefined;
    } catch (error) {
      options.signal?.throwIfAborted();
      if (error instanceof EngineError && error.code === "STORE_FAILED") return undefined;
      throw error;
    }
  }

  /** Stores the checksum of a state. */
  async putDigest(item: string, content: Uint8Array, options: StoreCallOptions): Promise<void> {
    const command = new this.#sdk.PutItemCommand({
      TableName: this.#name,
      Item: { LockID: { S: digestItem(item) }, Digest: { S: md5(content) } },
    });
    try {
      await this.#client.send(command, call(options));
    } catch (error) {
      throw this.#failure("store the checksum of the state", error, options);
    }
  }

  /** Removes the checksum of a deleted state. */
  async deleteDigest(item: string, options: StoreCallOptions): Promise<void> {
    const command = new this.#sdk.DeleteItemCommand({ TableName: this.#name, Key: { LockID: { S: digestItem(item) } } });
    try {
      await this.#client.send(command, call(options));
    } catch (error) {
      throw this.#failure("delete the checksum of the state", error, options);
    }
  }

  async #get(item: string, attribute: string, options: StoreCallOptions): Promise<string | undefined> {
    const command = new this.#sdk.GetItemCommand({
      TableName: this.#name,
      Key: { LockID: { S: item } },
      ProjectionExpression: `LockID, ${attribute}`,
      ConsistentRead: true,
    });
    try {
      const { Item: stored } = await this.#client.send(command, call(options));
      return stored?.[attribute]?.S;
    } catch (error) {
      throw this.#failure("read the lock of the state", error, options);
    }
  }

  #failure(what: string, error: unknown, { signal }: StoreCallOptions): unknown {
    return awsError(`${what} in the DynamoDB table ${this.#name}`, error, signal);
  }

  /** Closes the connections. */
  close(): void {
    this.#client.destroy();
  }
}

function digestItem(item: string): string {
  return `${item}-md5`;
}

function md5(content: Uint8Array): string {
  return createHash("md5").update(content).digest("hex");
}

function call({ signal }: StoreCallOptions): { readonly abortSignal?: AbortSignal } {
  return signal === undefined ? {} : { abortSignal: signal };
}

/** @see OpenTofu internal/backend/remote-state/s3, errBadChecksumFmt */
function badChecksum(digest: string): string {
  return `state data in S3 does not have the expected content.

This may be caused by unusually long delays in S3 processing a previous state
update.  Please wait for a minute or two and try again. If this problem
persists, and neither S3 nor DynamoDB are experiencing an outage, you may need
to manually verify the remote state and update the Digest value stored in the
DynamoDB table to the following value: ${digest}
`;
}
