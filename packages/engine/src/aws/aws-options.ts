// SPDX-License-Identifier: Apache-2.0

/** Keys of an AWS account. */
export interface AwsKeys {
  readonly accessKeyId: string;
  readonly secretAccessKey: string;
  readonly sessionToken?: string;
}

/** A role to assume with the credentials of the run. */
export interface AwsRole {
  readonly arn: string;
  /** Default: a name with the time. */
  readonly sessionName?: string;
  /** Duration of the session, in seconds. Default: one hour. */
  readonly durationSeconds?: number;
  readonly externalId?: string;
  /** A JSON policy that restricts the session. */
  readonly policy?: string;
  readonly policyArns?: readonly string[];
  readonly tags?: Readonly<Record<string, string>>;
  readonly transitiveTagKeys?: readonly string[];
}

/** A role to assume with a token of an identity provider. */
export interface AwsWebIdentity {
  readonly arn: string;
  /** The token, or else `tokenFile`. */
  readonly token?: string;
  /** Path of the file with the token. It is read again for each session. */
  readonly tokenFile?: string;
  readonly sessionName?: string;
  readonly durationSeconds?: number;
  readonly policy?: string;
  readonly policyArns?: readonly string[];
}

/** Settings of the connection to AWS, or to a server with the same protocols. */
export interface AwsOptions {
  /** Default: `AWS_REGION` or `AWS_DEFAULT_REGION`, then the profile. */
  readonly region?: string;
  /** The keys, or a function that returns them. Default: the profile, then what the AWS SDK finds: environment, files, metadata service. */
  readonly credentials?: AwsKeys | (() => Promise<AwsKeys>);
  /** Name of a profile in the shared files. It precedes the keys in the environment. */
  readonly profile?: string;
  /** Paths of shared credentials files; the last one with the profile is used. Default: `~/.aws/credentials`. */
  readonly sharedCredentialsFiles?: readonly string[];
  /** Paths of shared configuration files; the last one with the profile is used. Default: `~/.aws/config`. */
  readonly sharedConfigFiles?: readonly string[];
  readonly assumeRole?: AwsRole;
  readonly webIdentity?: AwsWebIdentity;
  /** Accounts to which the credentials must belong. */
  readonly allowedAccountIds?: readonly string[];
  /** Accounts to which the credentials must not belong. */
  readonly forbiddenAccountIds?: readonly string[];
  /** URLs of other servers than those of AWS. */
  readonly endpoints?: { readonly s3?: string; readonly dynamodb?: string; readonly sts?: string };
  /** Region of the STS endpoint. Default: `region`. */
  readonly stsRegion?: string;
  /** Maximum number of attempts of a request. Default 5. */
  readonly maxAttempts?: number;
  /** Default: `standard`. */
  readonly retryMode?: "standard" | "adaptive";
  /** Path of a file with PEM certificates of further authorities. */
  readonly caBundle?: string;
  /** Whether to accept servers without a valid certificate. Default: false. */
  readonly insecure?: boolean;
  /** URL of a proxy for HTTP requests. Default: `HTTP_PROXY`. */
  readonly httpProxy?: string;
  /** URL of a proxy for HTTPS requests. Default: `HTTPS_PROXY`. */
  readonly httpsProxy?: string;
  /** Hosts without a proxy, separated by commas. Default: `NO_PROXY`. */
  readonly noProxy?: string;
  readonly useDualstackEndpoint?: boolean;
  readonly useFipsEndpoint?: boolean;
  /** Whether to leave out the metadata service of EC2. */
  readonly skipMetadataService?: boolean;
  /** Environment variables. Default: those of the process. */
  readonly variables?: Readonly<Record<string, string | undefined>>;
}
