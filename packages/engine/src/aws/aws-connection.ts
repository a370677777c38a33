// SPDX-License-Identifier: Apache-2.0
import { readFile } from "node:fs/promises";
import { Agent as HttpAgent } from "node:http";
import { Agent as HttpsAgent } from "node:https";
import type { S3ClientConfig } from "@aws-sdk/client-s3";
import type * as CredentialProviders from "@aws-sdk/credential-providers";
import { EngineError } from "../error.ts";
import type { AwsKeys, AwsOptions, AwsRole, AwsWebIdentity } from "./aws-options.ts";
import { loadOptional } from "../optional-package.ts";

/** The settings that the AWS SDK's clients have in common. */
export type AwsConnection = Pick<
  S3ClientConfig,
  "region" | "credentials" | "maxAttempts" | "retryMode" | "useDualstackEndpoint" | "useFipsEndpoint" | "requestHandler" | "profile"
>;

/**
 * Creates the settings of the AWS SDK's clients. Does not contact AWS, unless the credentials must belong to certain accounts.
 *
 * @throws EngineError `INVALID_OPTIONS` for missing packages, and for credentials of an account that is not allowed.
 */
export async function connectAws(options: AwsOptions): Promise<AwsConnection> {
  const variables = options.variables ?? process.env;
  const region = options.region || variables["AWS_REGION"] || variables["AWS_DEFAULT_REGION"];
  const profile = options.profile ?? variables["AWS_PROFILE"];
  const base: AwsConnection = {
    ...(region && { region }),
    ...(profile && { profile }),
    maxAttempts: options.maxAttempts ?? 5,
    retryMode: options.retryMode ?? "standard",
    ...(options.useDualstackEndpoint !== undefined && { useDualstackEndpoint: options.useDualstackEndpoint }),
    ...(options.useFipsEndpoint !== undefined && { useFipsEndpoint: options.useFipsEndpoint }),
    requestHandler: await requestHandler(options, variables),
  };
  const connection: AwsConnection = { ...base, credentials: await credentialsOf(options, variables, base) };
  await checkAccount(options, connection);
  return connection;
}

type AwsCredentialIdentityProvider = Extract<NonNullable<S3ClientConfig["credentials"]>, (...context: never) => unknown>;

const purpose = "this source of AWS credentials";

/** The source of the credentials, in the order of OpenTofu: keys, profile of the options, environment, other sources. */
async function credentialsOf(
  options: AwsOptions,
  variables: Readonly<Record<string, string | undefined>>,
  base: AwsConnection,
): Promise<AwsCredentialIdentityProvider> {
  const source = await sourceCredentials(options, variables, base);
  return options.assumeRole === undefined ? source : assumeRole(options.assumeRole, source, stsConfig(options, base));
}

async function sourceCredentials(
  options: AwsOptions,
  variables: Readonly<Record<string, string | undefined>>,
  base: AwsConnection,
): Promise<AwsCredentialIdentityProvider> {
  const { credentials, webIdentity } = options;
  if (typeof credentials === "function") return async () => ({ ...(await credentials()) });
  if (credentials !== undefined) return keysOf(credentials);
  if (webIdentity !== undefined) return assumeWebIdentity(webIdentity, stsConfig(options, base));
  const [accessKeyId, secretAccessKey, sessionToken] = ["AWS_ACCESS_KEY_ID", "AWS_SECRET_ACCESS_KEY", "AWS_SESSION_TOKEN"].map(
    (name) => variables[name],
  );
  if (!options.profile && accessKeyId && secretAccessKey) {
    return keysOf({ accessKeyId, secretAccessKey, ...(sessionToken && { sessionToken }) });
  }
  return chainedCredentials(options, variables, base);
}

function keysOf(keys: AwsKeys): AwsCredentialIdentityProvider {
  return async () => ({ ...keys });
}

/** The credentials of the shared files, or else of the AWS SDK's chain of sources: SSO, containers, EC2's metadata service. */
async function chainedCredentials(
  options: AwsOptions,
  variables: Readonly<Record<string, string | undefined>>,
  base: AwsConnection,
): Promise<AwsCredentialIdentityProvider> {
  const { fromIni, fromNodeProviderChain } = await loadProviders();
  const profile = options.profile ?? variables["AWS_PROFILE"];
  const credentialsFiles = options.sharedCredentialsFiles ?? listOf(variables["AWS_SHARED_CREDENTIALS_FILE"]);
  const configFiles = options.sharedConfigFiles ?? listOf(variables["AWS_SHARED_CONFIG_FILE"] ?? variables["AWS_CONFIG_FILE"]);
  const clientConfig = stsConfig(options, base);
  const shared = { ...(profile && { profile }), clientConfig };
  const pairs = lastFirst(credentialsFiles).flatMap((filepath) =>
    lastFirst(configFiles).map((configFilepath) => ({
      ...shared,
      ...(filepath !== undefined && { filepath }),
      ...(configFilepath !== undefined && { configFilepath }),
    })),
  );
  // Only the shared files can have a profile that the options name. Without one, other sources may have the credentials.
  if (options.profile || options.skipMetadataService) return firstOf(pairs.map((each) => fromIni(each)));
  return firstOf([...pairs.slice(0, -1).map((each) => fromIni(each)), fromNodeProviderChain(pairs.at(-1))]);
}

function listOf(path: string | undefined): readonly string[] {
  return path ? [path] : [];
}

/** The paths from the last to the first; the default file where there are none. */
function lastFirst(paths: readonly string[]): readonly (string | undefined)[] {
  return paths.length === 0 ? [undefined] : [...paths].reverse();
}

/** The credentials of the first source that has some. If none has, the error of the last source is thrown. */
function firstOf(sources: readonly AwsCredentialIdentityProvider[]): AwsCredentialIdentityProvider {
  return async (context) => {
    let failure: unknown;
    for (const source of sources) {
      try {
        return await source(context);
      } catch (error) {
        failure = error;
      }
    }
    throw failure;
  };
}

async function loadProviders(): Promise<typeof CredentialProviders> {
  const name = "@aws-sdk/credential-providers";
  return loadOptional(name, purpose, () => import("@aws-sdk/credential-providers"));
}

type StsConfig = AwsConnection & { readonly endpoint?: string };

function stsConfig({ endpoints, stsRegion }: AwsOptions, base: AwsConnection): StsConfig {
  return { ...base, ...(stsRegion && { region: stsRegion }), ...(endpoints?.sts && { endpoint: endpoints.sts }) };
}

async function assumeRole(
  role: AwsRole,
  masterCredentials: AwsCredentialIdentityProvider,
  clientConfig: StsConfig,
): Promise<AwsCredentialIdentityProvider> {
  const { fromTemporaryCredentials } = await loadProviders();
  const provider = fromTemporaryCredentials({
    masterCredentials,
    clientConfig,
    params: {
      ...sessionOf(role),
      ...(role.externalId && { ExternalId: role.externalId }),
      ...(role.tags && { Tags: Object.entries(role.tags).map(([Key, Value]) => ({ Key, Value })) }),
      ...(role.transitiveTagKeys && { TransitiveTagKeys: [...role.transitiveTagKeys] }),
    },
  });
  return (context) => provider(context);
}

async function assumeWebIdentity(identity: AwsWebIdentity, clientConfig: StsConfig): Promise<AwsCredentialIdentityProvider> {
  const { fromWebToken } = await loadProviders();
  const { Policy: policy, DurationSeconds: durationSeconds, PolicyArns: policyArns, ...session } = sessionOf(identity);
  const { token, tokenFile } = identity;
  if (token === undefined && tokenFile === undefined) {
    throw new EngineError("INVALID_OPTIONS", "the web identity for AWS has neither a token nor a file with one");
  }
  return async (context) =>
    fromWebToken({
      roleArn: session.RoleArn,
      roleSessionName: session.RoleSessionName,
      webIdentityToken: token ?? (await readFile(tokenFile!, "utf8")).trim(),
      clientConfig,
      ...(policy !== undefined && { policy }),
      ...(policyArns && { policyArns: policyArns.map(({ arn }) => ({ arn })) }),
      ...(durationSeconds !== undefined && { durationSeconds }),
    })(context);
}

interface Session {
  readonly RoleArn: string;
  readonly RoleSessionName: string;
  readonly DurationSeconds?: number;
  readonly Policy?: string;
  readonly PolicyArns?: { readonly arn: string }[];
}

function sessionOf({ arn, sessionName, durationSeconds, policy, policyArns }: AwsRole | AwsWebIdentity): Session {
  return {
    RoleArn: arn,
    RoleSessionName: sessionName || `tenon-${Date.now()}`,
    ...(durationSeconds !== undefined && { DurationSeconds: durationSeconds }),
    ...(policy && { Policy: policy }),
    ...(policyArns && { PolicyArns: policyArns.map((each) => ({ arn: each })) }),
  };
}

/** @throws EngineError `INVALID_OPTIONS` for credentials of an account that is not allowed. */
async function checkAccount(options: AwsOptions, connection: AwsConnection): Promise<void> {
  const { allowedAccountIds: allowed, forbiddenAccountIds: forbidden } = options;
  if (allowed === undefined && forbidden === undefined) return;
  const { STSClient, GetCallerIdentityCommand } = await loadOptional(
    "@aws-sdk/client-sts",
    "checking the account of the credentials",
    () => import("@aws-sdk/client-sts"),
  );
  const client = new STSClient(stsConfig(options, connection));
  try {
    const { Account: account = "" } = await client.send(new GetCallerIdentityCommand({}));
    if (forbidden?.includes(account) || allowed?.includes(account) === false) {
      throw new EngineError("INVALID_OPTIONS", `AWS account ID not allowed: ${account}`);
    }
  } catch (error) {
    if (error instanceof EngineError) throw error;
    const reason = error instanceof Error ? error.message : String(error);
    throw new EngineError("STORE_FAILED", `cannot determine the AWS account of the credentials: ${reason}`, { cause: error });
  } finally {
    client.destroy();
  }
}

/** The agents of the connections: proxies and certificates. */
async function requestHandler(
  { caBundle, insecure, httpProxy, httpsProxy, noProxy }: AwsOptions,
  variables: Readonly<Record<string, string | undefined>>,
): Promise<{ readonly httpAgent: HttpAgent; readonly httpsAgent: HttpsAgent }> {
  const proxy = (given: string | undefined, name: string): string | undefined =>
    given ?? (variables[name] || variables[name.toLowerCase()] || undefined);
  const proxies = {
    HTTP_PROXY: proxy(httpProxy, "HTTP_PROXY"),
    HTTPS_PROXY: proxy(httpsProxy, "HTTPS_PROXY"),
    NO_PROXY: proxy(noProxy, "NO_PROXY"),
  };
  const usesProxy = Boolean(proxies.HTTP_PROXY || proxies.HTTPS_PROXY);
  // Node 22.21 and 24.5 added the option. Older versions would ignore it, and connect without the proxy.
  const [major = 0, minor = 0] = process.versions.node.split(".").map(Number);
  if (usesProxy && !(major > 24 || (major === 24 && minor >= 5) || (major === 22 && minor >= 21))) {
    throw new EngineError("INVALID_OPTIONS", `a proxy for AWS needs Node.js 24.5 or 22.21, but this is ${process.versions.node}`);
  }
  const shared = { keepAlive: true, ...(usesProxy && { proxyEnv: proxies }) };
  const bundle = caBundle || variables["AWS_CA_BUNDLE"];
  const ca = bundle ? await readBundle(bundle) : undefined;
  const tls = { ...(ca !== undefined && { ca }), ...(insecure && { rejectUnauthorized: false }) };
  return { httpAgent: new HttpAgent(shared), httpsAgent: new HttpsAgent({ ...shared, ...tls }) };
}

async function readBundle(path: string): Promise<string> {
  try {
    return await readFile(path, "utf8");
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new EngineError("INVALID_OPTIONS", `cannot read the certificates for AWS: ${reason}`, { cause: error });
  }
}
