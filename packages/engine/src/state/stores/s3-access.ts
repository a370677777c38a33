// SPDX-License-Identifier: Apache-2.0
import { createHash } from "node:crypto";
import type * as S3 from "@aws-sdk/client-s3";
import { EngineError, type LockInfo } from "../../error.ts";
import { connectAws } from "../../aws/aws-connection.ts";
import { awsError, awsFailure } from "./aws-failure.ts";
import { contentVersion } from "./content-version.ts";
import { openLockTable, type DynamodbLockTable } from "./dynamodb-lock-table.ts";
import { parseLockInfo } from "./lock-info.ts";
import { loadOptional } from "../../optional-package.ts";
import type { S3StateOptions } from "./s3-options.ts";
import type { StoreCallOptions, StoredContent } from "./state-store.ts";

/** The settings of the access to a bucket. */
export type S3Settings = Omit<S3StateOptions, "key" | "workspaceKeyPrefix" | "useLockfile">;

/** The parts of the SDK that are used, so that they are loaded once. */
type Sdk = typeof S3;

/**
 * Opens the access to a bucket, and to the DynamoDB table if there is one. Loads the AWS SDK.
 *
 * @throws EngineError `INVALID_OPTIONS` for missing packages and for a malformed `sseCustomerKey`.
 */
export async function openS3(settings: S3Settings): Promise<S3Access> {
  const sdk = await loadOptional("@aws-sdk/client-s3", "an s3 store", () => import("@aws-sdk/client-s3"));
  const connection = await connectAws(settings);
  const { endpoints, usePathStyle, skipChecksum = false, dynamodbTable } = settings;
  const client = new sdk.S3Client({
    ...connection,
    ...(endpoints?.s3 && { endpoint: endpoints.s3 }),
    ...(usePathStyle !== undefined && { forcePathStyle: usePathStyle }),
    ...(skipChecksum && { requestChecksumCalculation: "WHEN_REQUIRED", responseChecksumValidation: "WHEN_REQUIRED" }),
  });
  const table = dynamodbTable ? await openLockTable(dynamodbTable, connection, endpoints?.dynamodb) : undefined;
  return new S3Access(sdk, client, settings, table);
}

interface EncryptionKey {
  readonly SSECustomerKey: string;
  readonly SSECustomerAlgorithm: "AES256";
  readonly SSECustomerKeyMD5: string;
}

/** The objects of a bucket: states and locks. */
export class S3Access {
  readonly #sdk: Sdk;
  readonly #client: S3.S3Client;
  readonly #settings: S3Settings;
  readonly #customerKey: EncryptionKey | undefined;
  /** Whether the server has answered that it does not support conditional writes of existing objects. */
  #isUnconditional = false;
  readonly table: DynamodbLockTable | undefined;

  constructor(sdk: Sdk, client: S3.S3Client, settings: S3Settings, table: DynamodbLockTable | undefined) {
    this.#sdk = sdk;
    this.#client = client;
    this.#settings = settings;
    this.#customerKey = customerKeyOf(settings);
    this.table = table;
  }

  /** Reads an object; undefined if it is absent or empty. */
  async get(key: string, { signal }: StoreCallOptions): Promise<StoredContent | undefined> {
    let output: S3.GetObjectCommandOutput;
    try {
      const command = new this.#sdk.GetObjectCommand({ Bucket: this.#settings.bucket, Key: key, ...this.#customerKey });
      output = await this.#client.send(command, call(signal));
      const content = await output.Body?.transformToByteArray();
      if (content === undefined || content.length === 0) return undefined;
      return { content, version: versionOf(output.ETag, content) };
    } catch (error) {
      const { name, status } = awsFailure(error);
      if (name === "NoSuchKey" || (status === 404 && name !== "NoSuchBucket")) return undefined;
      throw awsError(`read s3://${this.#settings.bucket}/${key}`, error, signal);
    }
  }

  /** Replaces a state of the expected version. Returns the new version; undefined if the stored state has another version. */
  async replace(key: string, content: Uint8Array, expected: string | undefined, options: StoreCallOptions): Promise<string | undefined> {
    const isConditional = !this.#isUnconditional && (expected === undefined || expected.startsWith(entityTag));
    if (!isConditional && (await this.get(key, options))?.version !== expected) return undefined;
    const condition = expected === undefined ? { IfNoneMatch: "*" } : { IfMatch: expected.slice(entityTag.length) };
    const { stateTags: tags } = this.#settings;
    try {
      return await this.#put(key, content, { ...(isConditional && condition), ...tagging(tags) }, options);
    } catch (error) {
      const { name, status } = awsFailure(error);
      if (isConditional && (status === 501 || name === "NotImplemented")) {
        this.#isUnconditional = true;
        return this.replace(key, content, expected, options);
      }
      const isConflict = status === 412 || status === 409 || (status === 404 && name === "NoSuchKey");
      if (!isConflict) throw awsError(`write s3://${this.#settings.bucket}/${key}`, error, options.signal);
      // An earlier attempt, whose response was lost, may have written the state.
      const stored = await this.get(key, options);
      if (stored !== undefined && Buffer.compare(stored.content, content) === 0) return stored.version;
      // An empty object has no state, but fails the condition that no object exists. It is overwritten without a condition.
      if (stored !== undefined || expected !== undefined) return undefined;
    }
    try {
      return await this.#put(key, content, tagging(tags), options);
    } catch (error) {
      throw awsError(`write s3://${this.#settings.bucket}/${key}`, error, options.signal);
    }
  }

  async #put(key: string, content: Uint8Array, further: Partial<S3.PutObjectCommandInput>, { signal }: StoreCallOptions): Promise<string> {
    const { bucket, acl, skipChecksum = false } = this.#settings;
    const command = new this.#sdk.PutObjectCommand({
      Bucket: bucket,
      Key: key,
      Body: content,
      ContentType: "application/json",
      ContentLength: content.length,
      ...(!skipChecksum && { ChecksumAlgorithm: "SHA256", ChecksumSHA256: createHash("sha256").update(content).digest("base64") }),
      ...this.#encryption(),
      ...(acl && { ACL: acl as NonNullable<S3.PutObjectCommandInput["ACL"]> }),
      ...further,
    });
    const { ETag } = await this.#client.send(command, call(signal));
    return versionOf(ETag, content);
  }

  /** @see OpenTofu configurePutObjectEncryption */
  #encryption(): Partial<S3.PutObjectCommandInput> {
    const { encrypt = false, kmsKeyId } = this.#settings;
    if (!encrypt) return {};
    if (kmsKeyId) return { ServerSideEncryption: "aws:kms", SSEKMSKeyId: kmsKeyId };
    return this.#customerKey ?? { ServerSideEncryption: "AES256" };
  }

  /** Deletes an object. Does nothing if it is absent. */
  async delete(key: string, { signal }: StoreCallOptions): Promise<void> {
    try {
      await this.#client.send(new this.#sdk.DeleteObjectCommand({ Bucket: this.#settings.bucket, Key: key }), call(signal));
    } catch (error) {
      throw awsError(`delete s3://${this.#settings.bucket}/${key}`, error, signal);
    }
  }

  /** The keys of all objects with a prefix; none where listing is denied, as in OpenTofu. */
  async keys(prefix: string, { signal }: StoreCallOptions): Promise<readonly string[]> {
    const keys: string[] = [];
    let token: string | undefined;
    try {
      do {
        const input = { Bucket: this.#settings.bucket, Prefix: prefix, MaxKeys: 1000, ...(token && { ContinuationToken: token }) };
        const page = await this.#client.send(new this.#sdk.ListObjectsV2Command(input), call(signal));
        for (const { Key } of page.Contents ?? []) if (Key !== undefined) keys.push(Key);
        token = page.IsTruncated ? page.NextContinuationToken : undefined;
      } while (token !== undefined);
    } catch (error) {
      if (awsFailure(error).name === "AccessDenied") return keys;
      throw awsError(`list the bucket ${this.#settings.bucket}`, error, signal);
    }
    return keys;
  }

  /** Creates a lock object. Returns `created`, or the lock that exists; undefined if its description is malformed. */
  async createLock(key: string, text: string, id: string, options: StoreCallOptions): Promise<LockInfo | "created" | undefined> {
    const { lockTags } = this.#settings;
    try {
      await this.#put(key, Buffer.from(text), { IfNoneMatch: "*", ...tagging(lockTags) }, options);
      return "created";
    } catch (error) {
      const { status } = awsFailure(error);
      if (status !== 412 && status !== 409) throw awsError(`lock s3://${this.#settings.bucket}/${key}`, error, options.signal);
      const holder = await this.#lockAt(key, options);
      // An earlier attempt, whose response was lost, may have created the object.
      return holder?.ID === id ? "created" : holder;
    }
  }

  /** Removes a lock object with an ID. Returns the lock that exists if its ID is another one. */
  async removeLock(key: string, id: string, options: StoreCallOptions): Promise<LockInfo | undefined> {
    const holder = await this.#lockAt(key, options);
    if (holder === undefined) return undefined;
    if (holder.ID !== id) return holder;
    await this.delete(key, options);
    return undefined;
  }

  async #lockAt(key: string, options: StoreCallOptions): Promise<LockInfo | undefined> {
    const stored = await this.get(key, options);
    return stored && parseLockInfo(Buffer.from(stored.content).toString());
  }

  /** Closes the connections. */
  close(): void {
    this.#client.destroy();
    this.table?.close();
  }
}

/** Prefix of the versions that are entity tags of the server. Other versions are digests of the content. */
const entityTag = "etag ";

function versionOf(tag: string | undefined, content: Uint8Array): string {
  return tag === undefined ? contentVersion(content) : entityTag + tag;
}

function call(signal: AbortSignal | undefined): { readonly abortSignal?: AbortSignal } {
  return signal === undefined ? {} : { abortSignal: signal };
}

function tagging(tags: Readonly<Record<string, string>> = {}): Partial<S3.PutObjectCommandInput> {
  return Object.keys(tags).length === 0 ? {} : { Tagging: new URLSearchParams(tags).toString() };
}

function customerKeyOf({ encrypt = false, sseCustomerKey }: S3Settings): EncryptionKey | undefined {
  if (!sseCustomerKey) return undefined;
  const key = Buffer.from(sseCustomerKey, "base64");
  if (sseCustomerKey.length !== 44 || key.length !== 32) {
    throw new EngineError("INVALID_OPTIONS", "sseCustomerKey must be 32 bytes in base64, which are 44 characters");
  }
  if (!encrypt) return undefined;
  const digest = createHash("md5").update(key).digest("base64");
  return { SSECustomerKey: sseCustomerKey, SSECustomerAlgorithm: "AES256", SSECustomerKeyMD5: digest };
}
