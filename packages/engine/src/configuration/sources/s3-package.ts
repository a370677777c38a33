// SPDX-License-Identifier: Apache-2.0
import { createWriteStream } from "node:fs";
import { mkdir, mkdtemp, rename, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { basename, dirname, join } from "node:path";
import type { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import type * as S3 from "@aws-sdk/client-s3";
import { connectAws } from "../../aws/aws-connection.ts";
import { loadOptional } from "../../optional-package.ts";
import { archiveKindOf } from "./archive-kind.ts";
import { pathInPackage } from "./package-folder.ts";
import { SourceError } from "./source-error.ts";
import { maxPackageBytes, unpackModuleArchive } from "./unpack-archive.ts";

/** Settings for fetching packages from buckets. */
export interface S3PackageSettings {
  /** Environment variables with credentials, and other settings of AWS. */
  readonly environment: Readonly<Record<string, string | undefined>>;
  readonly signal?: AbortSignal;
}

/** The location of a package in a bucket. */
export interface S3Location {
  readonly bucket: string;
  /** The key of an archive, or the prefix of the package's files. */
  readonly key: string;
  readonly region: string;
  /** The version of the archive's object; undefined for the current one. */
  readonly version: string | undefined;
  /** The URL of a server other than those of AWS. */
  readonly endpoint: string | undefined;
}

/** The domains of AWS, by partition. */
const awsDomains = ["amazonaws.com", "amazonaws.com.cn", "amazonaws.eu", "c2s.ic.gov", "sc2s.sgov.gov", "cloud.adc-e.uk", "csp.hci.ic.gov"];

/**
 * Fetches a package from a bucket: an archive, or the objects below a prefix.
 *
 * @param address The URL of the archive or of the prefix, with the optional arguments `archive`, `version`, `region`, `aws_profile`,
 *   `aws_access_key_id`, `aws_access_key_secret` and `aws_access_token`.
 * @param target A folder that does not exist. It is absent afterwards if the package cannot be fetched.
 * @throws SourceError, and EngineError `INVALID_OPTIONS` if the AWS SDK is not installed.
 * @see go-getter S3Getter
 */
export async function fetchS3Package(address: string, target: string, settings: S3PackageSettings): Promise<void> {
  const { url, kind } = archiveKindOf(new URL(address));
  const location = s3LocationOf(url);
  const sdk = await loadOptional("@aws-sdk/client-s3", "a module in an S3 bucket", () => import("@aws-sdk/client-s3"));
  const bucket = new PackageBucket(sdk, new sdk.S3Client(await clientConfig(url, location, settings)), location, settings.signal);
  try {
    if (kind === undefined || kind === false) await bucket.downloadFolder(target);
    else await withTemporaryFile((file) => bucket.downloadObject(file).then(() => unpackModuleArchive(file, target, kind)));
  } catch (error) {
    settings.signal?.throwIfAborted();
    if (error instanceof sdk.S3ServiceException) throw new SourceError(`${error.name}: ${error.message}`, { cause: error });
    throw error;
  } finally {
    bucket.close();
  }
}

/**
 * Splits the URL of a package in a bucket. The bucket is the first label of the host, or the first part of the path; on servers other than
 * those of AWS, it is the first part of the path.
 *
 * @throws SourceError
 */
export function s3LocationOf(url: URL): S3Location {
  const domain = awsDomains.find((suffix) => url.hostname.endsWith(`.${suffix}`));
  const version = url.searchParams.get("version") || undefined;
  const [first = "", ...rest] = decodeURIComponent(url.pathname.slice(1)).split("/");
  if (domain === undefined) {
    if (rest.length === 0 || first === "") throw new SourceError("URL is not a valid S3 compliant URL");
    return { bucket: first, key: rest.join("/"), region: url.searchParams.get("region") || "us-east-1", version, endpoint: url.origin };
  }
  const labels = url.hostname.slice(0, -domain.length - 1).split(".");
  const inPath = labels.length === 1;
  const region = labels.length === 3 ? labels[2]! : labels.at(-1)!.replace(/^s3-?/, "");
  const isInvalid = labels.length > 3 || (inPath ? rest.length === 0 : region === "");
  if (isInvalid) throw new SourceError("URL is not a valid S3 URL");
  const key = (inPath ? rest : [first, ...rest]).join("/");
  return { bucket: inPath ? first : labels[0]!, key, region: region || "us-east-1", version, endpoint: undefined };
}

async function clientConfig(url: URL, { region, endpoint }: S3Location, { environment }: S3PackageSettings): Promise<S3.S3ClientConfig> {
  const argument = (name: string): string | undefined => url.searchParams.get(name) || undefined;
  const [accessKeyId, secretAccessKey, sessionToken] = ["aws_access_key_id", "aws_access_key_secret", "aws_access_token"].map(argument);
  const profile = argument("aws_profile");
  const hasKeys = profile === undefined && (accessKeyId ?? secretAccessKey ?? sessionToken) !== undefined;
  const connection = await connectAws({
    region,
    variables: environment,
    ...(profile !== undefined && { profile }),
    ...(hasKeys && {
      credentials: { accessKeyId: accessKeyId ?? "", secretAccessKey: secretAccessKey ?? "", ...(sessionToken && { sessionToken }) },
    }),
  });
  return { ...connection, ...(endpoint !== undefined && { endpoint }), forcePathStyle: true };
}

/** The objects of a package. */
class PackageBucket {
  readonly #sdk: typeof S3;
  readonly #client: S3.S3Client;
  readonly #location: S3Location;
  readonly #signal: AbortSignal | undefined;
  /** Number of bytes that may still be written. */
  #remainingBytes = maxPackageBytes;

  constructor(sdk: typeof S3, client: S3.S3Client, location: S3Location, signal: AbortSignal | undefined) {
    this.#sdk = sdk;
    this.#client = client;
    this.#location = location;
    this.#signal = signal;
  }

  /** Downloads the object of an archive. */
  async downloadObject(file: string): Promise<void> {
    await this.#download(this.#location.key, this.#location.version, file);
  }

  /** Downloads the objects below the prefix to a new folder. */
  async downloadFolder(target: string): Promise<void> {
    const { bucket, key } = this.#location;
    const prefix = key === "" || key.endsWith("/") ? key : `${key}/`;
    await mkdir(dirname(target), { recursive: true });
    const folder = await mkdtemp(join(dirname(target), `.${basename(target)}-`));
    try {
      let isEmpty = true;
      let token: string | undefined;
      do {
        const input = { Bucket: bucket, Prefix: prefix, ...(token !== undefined && { ContinuationToken: token }) };
        const page = await this.#client.send(new this.#sdk.ListObjectsV2Command(input), this.#call());
        for (const { Key: name = "" } of page.Contents ?? []) {
          if (name.endsWith("/")) continue;
          isEmpty = false;
          const file = join(folder, pathInPackage(name.slice(prefix.length)));
          await mkdir(dirname(file), { recursive: true });
          await this.#download(name, undefined, file);
        }
        token = page.IsTruncated === true ? page.NextContinuationToken : undefined;
      } while (token !== undefined);
      if (isEmpty) throw new SourceError(`the bucket ${bucket} has no objects below ${JSON.stringify(prefix)}`);
      await rename(folder, target);
    } catch (error) {
      await rm(folder, { recursive: true, force: true });
      throw error;
    }
  }

  close(): void {
    this.#client.destroy();
  }

  async #download(key: string, version: string | undefined, file: string): Promise<void> {
    const input = { Bucket: this.#location.bucket, Key: key, ...(version !== undefined && { VersionId: version }) };
    const { Body: body } = await this.#client.send(new this.#sdk.GetObjectCommand(input), this.#call());
    const counted = async function* (this: PackageBucket, chunks: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
      for await (const chunk of chunks) {
        this.#remainingBytes -= chunk.length;
        if (this.#remainingBytes < 0) throw new SourceError(`the package is larger than ${maxPackageBytes / 2 ** 30} GiB`);
        yield chunk;
      }
    };
    await pipeline(body as Readable, counted.bind(this), createWriteStream(file, { flags: "wx" }));
  }

  #call(): { readonly abortSignal?: AbortSignal } {
    return this.#signal === undefined ? {} : { abortSignal: this.#signal };
  }
}

async function withTemporaryFile(use: (file: string) => Promise<void>): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), "tenon-module-"));
  try {
    await use(join(folder, "archive"));
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
