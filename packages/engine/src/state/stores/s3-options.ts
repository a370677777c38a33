// SPDX-License-Identifier: Apache-2.0
import type { AwsOptions } from "../../aws/aws-options.ts";

/** Settings of an s3 store. They are those of OpenTofu's `s3` backend. */
export interface S3StateOptions extends AwsOptions {
  readonly bucket: string;
  /** The key of the state of the workspace `default`. */
  readonly key: string;
  /** The states of other workspaces have the key `<prefix>/<workspace>/<key>`. Default `env:`. */
  readonly workspaceKeyPrefix?: string;
  /** Whether an object beside the state, `<key>.tflock`, is its lock. Default: false. */
  readonly useLockfile?: boolean;
  /** A DynamoDB table for the lock and for the checksum of the state. Default: none. */
  readonly dynamodbTable?: string;
  /** Whether the server encrypts the state. Default: false. */
  readonly encrypt?: boolean;
  /** The KMS key for the encryption. Has an effect only with `encrypt`. */
  readonly kmsKeyId?: string;
  /** A key of the customer for the encryption, in base64. Has an effect only with `encrypt`. */
  readonly sseCustomerKey?: string;
  /** Canned access control list of the state, such as `bucket-owner-full-control`. */
  readonly acl?: string;
  /** Tags of the state. */
  readonly stateTags?: Readonly<Record<string, string>>;
  /** Tags of the lock object. */
  readonly lockTags?: Readonly<Record<string, string>>;
  /** Whether requests go without the checksums that some servers of the S3 protocol do not support. Default: false. */
  readonly skipChecksum?: boolean;
  /** Whether the bucket is in the path of the URLs instead of the host. Default: false. */
  readonly usePathStyle?: boolean;
  /** Milliseconds to wait for a state that matches the checksum in the DynamoDB table. Default 10,000. */
  readonly consistencyTimeoutMs?: number;
}
