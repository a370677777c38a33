// SPDX-License-Identifier: Apache-2.0
import { resolve } from "node:path";
import { toJs, type Value } from "@tenon/cty";
import { EngineError } from "../../error.ts";
import type { AwsRole, AwsWebIdentity } from "../../aws/aws-options.ts";
import type { S3StateOptions } from "../stores/s3-options.ts";
import { s3State } from "../stores/s3-store.ts";
import { textAttribute, booleanAttribute, type BackendEnvironment, type BackendType } from "./backend.ts";
import { goDuration } from "./go-duration.ts";
import { s3Arguments } from "./s3-arguments.ts";
import { argumentAt, s3Endpoints, validateS3 } from "./s3-validation.ts";

/** A bucket of S3. Regions are not checked against a list. @see OpenTofu internal/backend/remote-state/s3 */
export const s3Backend: BackendType = {
  schema: () => s3Arguments,
  prepare: (config, environment) => ({ config, diagnostics: validateS3(config, environment) }),
  open: (config, environment) => s3State(storeOptions(config, environment)),
};

function storeOptions(config: Value, environment: BackendEnvironment): S3StateOptions {
  const { variables, workingDirectory } = environment;
  const text = (name: string): string | undefined => textAttribute(config, name) || undefined;
  const js = <T>(path: string): T | undefined => {
    const value = argumentAt(config, path);
    return value === undefined ? undefined : (toJs(value) as T);
  };
  const path = (name: string | undefined): string | undefined => (name === undefined ? undefined : resolve(workingDirectory, name));
  const paths = (name: string): readonly string[] | undefined => js<readonly string[]>(name)?.map((each) => path(each)!);
  const [accessKeyId, secretAccessKey, sessionToken] = ["access_key", "secret_key", "token"].map(text);
  const credentialsFile = path(text("shared_credentials_file"));
  const maxRetries = js<number>("max_retries");
  for (const name of ["ec2_metadata_service_endpoint", "ec2_metadata_service_endpoint_mode"]) {
    // The SDK reads this setting only from the environment of the process.
    if (text(name) !== undefined) {
      throw new EngineError("INVALID_OPTIONS", `${name} is not supported; set the environment variable AWS_${name.toUpperCase()}`);
    }
  }
  const skipsMetadata = booleanAttribute(config, "skip_metadata_api_check");
  return withoutAbsent<S3StateOptions>({
    bucket: text("bucket")!,
    key: text("key")!,
    workspaceKeyPrefix: textAttribute(config, "workspace_key_prefix"),
    useLockfile: booleanAttribute(config, "use_lockfile"),
    dynamodbTable: text("dynamodb_table"),
    encrypt: booleanAttribute(config, "encrypt"),
    kmsKeyId: text("kms_key_id"),
    sseCustomerKey: text("sse_customer_key") ?? (variables["AWS_SSE_CUSTOMER_KEY"] || undefined),
    acl: text("acl"),
    stateTags: js("state_tags"),
    lockTags: js("lock_tags"),
    skipChecksum: booleanAttribute(config, "skip_s3_checksum"),
    usePathStyle: booleanAttribute(config, "use_path_style") ?? booleanAttribute(config, "force_path_style"),
    region: text("region"),
    credentials: accessKeyId && secretAccessKey ? { accessKeyId, secretAccessKey, ...(sessionToken && { sessionToken }) } : undefined,
    profile: text("profile"),
    sharedCredentialsFiles: credentialsFile === undefined ? paths("shared_credentials_files") : [credentialsFile],
    sharedConfigFiles: paths("shared_config_files"),
    assumeRole: roleOf(config),
    webIdentity: identityOf(config, environment),
    allowedAccountIds: js("allowed_account_ids"),
    forbiddenAccountIds: js("forbidden_account_ids"),
    endpoints: withoutAbsent({
      s3: endpoint(config, variables, "s3"),
      dynamodb: endpoint(config, variables, "dynamodb"),
      sts: endpoint(config, variables, "sts"),
    }),
    stsRegion: text("sts_region"),
    // OpenTofu passes the number of retries on as the number of attempts.
    maxAttempts: maxRetries === 0 ? undefined : maxRetries,
    retryMode: text("retry_mode")?.toLowerCase() as S3StateOptions["retryMode"],
    caBundle: path(text("custom_ca_bundle")),
    insecure: booleanAttribute(config, "insecure"),
    httpProxy: text("http_proxy"),
    httpsProxy: text("https_proxy"),
    noProxy: text("no_proxy"),
    useDualstackEndpoint: booleanAttribute(config, "use_dualstack_endpoint"),
    useFipsEndpoint: booleanAttribute(config, "use_fips_endpoint"),
    skipMetadataService: skipsMetadata,
    variables,
  });
}

type WithAbsent<T> = { readonly [Name in keyof T]: T[Name] | undefined };

function withoutAbsent<T extends object>(options: WithAbsent<T>): T {
  return Object.fromEntries(Object.entries(options).filter(([, value]) => value !== undefined)) as T;
}

function endpoint(config: Value, variables: BackendEnvironment["variables"], name: keyof typeof s3Endpoints): string | undefined {
  const { paths, variables: names } = s3Endpoints[name];
  const given = paths.map((path) => argumentAt(config, path)?.payload).find((payload) => payload !== undefined);
  const url = typeof given === "string" ? given : names.map((each) => variables[each]).find(Boolean);
  if (url === undefined) return undefined;
  return /[a-z]*:\/\//.test(url) ? url : `https://${url}`;
}

/** The role of the object `assume_role`, or else of the deprecated arguments. */
function roleOf(config: Value): AwsRole | undefined {
  const nested = argumentAt(config, "assume_role");
  const at = <T>(name: string): T | undefined => {
    const value = argumentAt(nested ?? config, name);
    return value === undefined ? undefined : (toJs(value) as T);
  };
  const prefix = nested === undefined ? "assume_role_" : "";
  const arn = at<string>("role_arn");
  if (!arn) return undefined;
  const duration = nested === undefined ? at<number>("assume_role_duration_seconds") : durationSeconds(at("duration"));
  return withoutAbsent<AwsRole>({
    arn,
    sessionName: at("session_name"),
    externalId: at("external_id"),
    durationSeconds: duration,
    policy: at(`${prefix}policy`),
    policyArns: at(`${prefix}policy_arns`),
    tags: at(`${prefix}tags`),
    transitiveTagKeys: at(`${prefix}transitive_tag_keys`),
  });
}

function identityOf(config: Value, { variables, workingDirectory }: BackendEnvironment): AwsWebIdentity | undefined {
  const nested = argumentAt(config, "assume_role_with_web_identity");
  if (nested === undefined) return undefined;
  const text = (name: string, variable?: string): string | undefined =>
    textAttribute(nested, name) ?? (variable === undefined ? undefined : variables[variable] || undefined);
  const policies = argumentAt(nested, "policy_arns");
  const file = text("web_identity_token_file", "AWS_WEB_IDENTITY_TOKEN_FILE");
  return withoutAbsent<AwsWebIdentity>({
    arn: text("role_arn", "AWS_ROLE_ARN") ?? "",
    token: text("web_identity_token", "AWS_WEB_IDENTITY_TOKEN"),
    tokenFile: file === undefined ? undefined : resolve(workingDirectory, file),
    sessionName: text("session_name", "AWS_ROLE_SESSION_NAME"),
    durationSeconds: durationSeconds(text("duration")),
    policy: text("policy"),
    policyArns: policies === undefined ? undefined : (toJs(policies) as readonly string[]),
  });
}

function durationSeconds(text: string | undefined): number | undefined {
  const parsed = text === undefined ? undefined : goDuration(text);
  return parsed !== undefined && "seconds" in parsed ? parsed.seconds : undefined;
}
