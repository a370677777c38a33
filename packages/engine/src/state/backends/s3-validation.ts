// SPDX-License-Identifier: Apache-2.0
import { get, isNull, toJs, type Path, type Value } from "@tenon/cty";
import { goQuote } from "@tenon/cty/unstable/payload";
import { errorDiagnostic, hasErrors, warningDiagnostic, type Diagnostic } from "@tenon/schema";
import { textAttribute, type BackendEnvironment } from "./backend.ts";
import { goDuration } from "./go-duration.ts";

const pathOf = (text: string): Path => text.split(".").map((name) => ({ kind: "attribute", name }));

/** The value at a path like `endpoints.s3`; undefined if it, or an object around it, is null. */
export function argumentAt(config: Value, path: string): Value | undefined {
  let at = config;
  for (const name of path.split(".")) {
    at = get(at, name);
    if (isNull(at)) return undefined;
  }
  return at;
}

/** Custom endpoints: the arguments, of which one may be set, and the environment variables. */
export const s3Endpoints: Readonly<Record<"s3" | "iam" | "sts" | "dynamodb", { readonly paths: string[]; readonly variables: string[] }>> =
  {
    s3: { paths: ["endpoints.s3", "endpoint"], variables: ["AWS_ENDPOINT_URL_S3", "AWS_S3_ENDPOINT"] },
    iam: { paths: ["endpoints.iam", "iam_endpoint"], variables: ["AWS_ENDPOINT_URL_IAM", "AWS_IAM_ENDPOINT"] },
    sts: { paths: ["endpoints.sts", "sts_endpoint"], variables: ["AWS_ENDPOINT_URL_STS", "AWS_STS_ENDPOINT"] },
    dynamodb: { paths: ["endpoints.dynamodb", "dynamodb_endpoint"], variables: ["AWS_ENDPOINT_URL_DYNAMODB", "AWS_DYNAMODB_ENDPOINT"] },
  };

const replacedByAssumeRole: Readonly<Record<string, string>> = {
  assume_role_duration_seconds: "assume_role.duration",
  assume_role_policy: "assume_role.policy",
  assume_role_policy_arns: "assume_role.policy_arns",
  assume_role_tags: "assume_role.tags",
  assume_role_transitive_tag_keys: "assume_role.transitive_tag_keys",
  external_id: "assume_role.external_id",
  role_arn: "assume_role.role_arn",
  session_name: "assume_role.session_name",
};

/** Returns the errors and warnings about the arguments. @see OpenTofu internal/backend/remote-state/s3, Backend.PrepareConfig and Configure */
export function validateS3(config: Value, { variables }: BackendEnvironment): readonly Diagnostic[] {
  const diagnostics: Diagnostic[] = [];
  const text = (name: string): string => textAttribute(config, name) ?? "";
  const fail = (summary: string, detail: string, path?: string): void =>
    void diagnostics.push(errorDiagnostic(summary, detail, path === undefined ? undefined : pathOf(path)));
  if (text("bucket") === "") fail("Invalid bucket value", 'The "bucket" attribute value must not be empty.', "bucket");
  if (text("key") === "") fail("Invalid key value", 'The "key" attribute value must not be empty.', "key");
  else if (/^\/|\/$/.test(text("key"))) {
    fail("Invalid key value", 'The "key" attribute value must not start or end with with "/".', "key");
  }
  if (text("region") === "" && !variables["AWS_REGION"] && !variables["AWS_DEFAULT_REGION"]) {
    const detail = 'The "region" attribute or the "AWS_REGION" or "AWS_DEFAULT_REGION" environment variables must be set.';
    fail("Missing region value", detail, "region");
  }
  if (text("kms_key_id") !== "") {
    if (text("sse_customer_key") !== "") fail("Invalid encryption configuration", keyConflict('"sse_customer_key"'));
    else if (variables["AWS_SSE_CUSTOMER_KEY"]) {
      fail("Invalid encryption configuration", keyConflict('the environment variable "AWS_SSE_CUSTOMER_KEY"'));
    }
    diagnostics.push(...validateKmsKey(text("kms_key_id")));
  }
  if (/^\/|\/$/.test(text("workspace_key_prefix"))) {
    const detail = 'The "workspace_key_prefix" attribute value must not start with "/".';
    fail("Invalid workspace_key_prefix value", detail, "workspace_key_prefix");
  }
  diagnostics.push(...conflict(config, ["shared_credentials_file", "shared_credentials_files"]));
  diagnostics.push(...deprecated(config, "shared_credentials_file", "shared_credentials_files"));
  diagnostics.push(...deprecated(config, "force_path_style", "use_path_style"));
  diagnostics.push(...conflict(config, ["force_path_style", "use_path_style"]));
  diagnostics.push(...validateRoles(config));
  diagnostics.push(...conflict(config, ["allowed_account_ids", "forbidden_account_ids"]));
  const mode = textAttribute(config, "retry_mode");
  if (mode !== undefined && !["standard", "adaptive"].includes(mode.toLowerCase())) {
    fail("Invalid retry mode", 'Valid values are "standard" and "adaptive".', "retry_mode");
  }
  for (const { paths } of Object.values(s3Endpoints)) diagnostics.push(...conflict(config, paths));
  return hasErrors(diagnostics) ? diagnostics : [...diagnostics, ...validateCustomerKey(config, variables["AWS_SSE_CUSTOMER_KEY"])];
}

function keyConflict(other: string): string {
  return `Only one of "kms_key_id" and ${other} can be set.

The "kms_key_id" is used for encryption with KMS-Managed Keys (SSE-KMS)
while ${other.replace("the environment variable ", "")} is used for encryption with customer-managed keys (SSE-C).
Please choose one or the other.`;
}

const uuid = "[a-f0-9]{8}-[a-f0-9]{4}-[1-5][a-f0-9]{3}-[ab89][a-f0-9]{3}-[a-f0-9]{12}";
const multiRegion = "mrk-[a-f0-9]{32}";
const alias = "alias/[a-zA-Z0-9/_-]+";

function validateKmsKey(key: string): readonly Diagnostic[] {
  const isArn = key.startsWith("arn:") && key.split(":").length >= 6;
  // The alternatives of OpenTofu's pattern for a key ID are anchored at one side only.
  const isValid = isArn
    ? new RegExp(`^(?:key/(?:${uuid}|${multiRegion})|${alias})$`).test(key.split(":").slice(5).join(":"))
    : new RegExp(`^${uuid}|${multiRegion}|${alias}$`).test(key);
  const noun = isArn ? "ARN" : "ID";
  if (isValid) return [];
  return [errorDiagnostic(`Invalid KMS Key ${noun}`, `Value must be a valid KMS Key ${noun}, got ${goQuote(key)}`, pathOf("kms_key_id"))];
}

function conflict(config: Value, paths: readonly string[], at?: Path, prefix = ""): readonly Diagnostic[] {
  if (paths.filter((path) => argumentAt(config, prefix + path) !== undefined).length < 2) return [];
  return [errorDiagnostic("Invalid Attribute Combination", `Only one of ${paths.join(", ")} can be set.`, at)];
}

function deprecated(config: Value, name: string, replacement: string): readonly Diagnostic[] {
  if (argumentAt(config, name) === undefined) return [];
  const detail = `Parameter "${name}" is deprecated. Use "${replacement}" instead.`;
  return [warningDiagnostic("Deprecated Parameter", detail, pathOf(name))];
}

function validateRoles(config: Value): readonly Diagnostic[] {
  const diagnostics: Diagnostic[] = [];
  const names = Object.keys(replacedByAssumeRole).filter((name) => argumentAt(config, name) !== undefined);
  const width = Math.max(...names.map((name) => name.length));
  const replacements = names.map((name) => `  * ${name.padEnd(width)} -> ${replacedByAssumeRole[name]}\n`).join("");
  if (argumentAt(config, "assume_role") === undefined) {
    if (names.length > 0) {
      const detail = `The following parameters have been deprecated. Replace them as follows:\n${replacements}`;
      diagnostics.push(warningDiagnostic("Deprecated Parameters", detail, []));
    }
  } else {
    if (!textAt(config, "assume_role.role_arn")) {
      const detail =
        'The attribute "assume_role.role_arn" is required by the backend.\n\n' +
        "Refer to the backend documentation for additional information which attributes are required.";
      diagnostics.push(errorDiagnostic("Missing Required Value", detail, pathOf("assume_role.role_arn")));
    }
    diagnostics.push(...validateSession(config, "assume_role", ["external_id", "policy", "session_name"]));
    if (names.length > 0) {
      const detail = `The following deprecated parameters conflict with the parameter "assume_role". Replace them as follows:\n${replacements}`;
      diagnostics.push(errorDiagnostic("Conflicting Parameters", detail, []));
    }
  }
  const identity = "assume_role_with_web_identity";
  if (argumentAt(config, identity) !== undefined) {
    diagnostics.push(...conflict(config, ["web_identity_token", "web_identity_token_file"], pathOf(identity), `${identity}.`));
    diagnostics.push(...validateSession(config, identity, ["session_name", "policy"]));
  }
  return diagnostics;
}

function textAt(config: Value, path: string): string | undefined {
  const payload = argumentAt(config, path)?.payload;
  return typeof payload === "string" ? payload : undefined;
}

function validateSession(config: Value, role: string, texts: readonly string[]): readonly Diagnostic[] {
  const diagnostics: Diagnostic[] = [];
  const duration = textAt(config, `${role}.duration`);
  if (duration !== undefined) diagnostics.push(...validateDuration(duration, pathOf(`${role}.duration`)));
  for (const name of texts) {
    if (textAt(config, `${role}.${name}`)?.trim() === "") {
      diagnostics.push(errorDiagnostic("Invalid Value", "The value cannot be empty or all whitespace", pathOf(`${role}.${name}`)));
    }
  }
  const arns = argumentAt(config, `${role}.policy_arns`);
  if (arns !== undefined) diagnostics.push(...validatePolicies(toJs(arns) as readonly string[], pathOf(`${role}.policy_arns`)));
  return diagnostics;
}

function validateDuration(text: string, path: Path): readonly Diagnostic[] {
  const parsed = goDuration(text);
  if ("problem" in parsed) {
    return [errorDiagnostic("Invalid Duration", `The value ${goQuote(text)} cannot be parsed as a duration: ${parsed.problem}`, path)];
  }
  if (parsed.seconds >= 15 * 60 && parsed.seconds <= 12 * 3600) return [];
  return [errorDiagnostic("Invalid Duration", `Duration must be between 15m0s and 12h0m0s, had ${text}`, path)];
}

function validatePolicies(arns: readonly string[], path: Path): readonly Diagnostic[] {
  const diagnostics: Diagnostic[] = [];
  const all = `[${arns.map((arn) => goQuote(arn)).join(" ")}]`;
  for (const arn of arns) {
    const sections = arn.split(":");
    const problem = sections[0] !== "arn" ? "arn: invalid prefix" : sections.length < 6 ? "arn: not enough sections" : undefined;
    if (problem !== undefined) {
      diagnostics.push(errorDiagnostic("Invalid ARN", `The value ${all} cannot be parsed as an ARN: ${problem}`, path));
      break;
    }
    if (!sections.slice(5).join(":").startsWith("policy/")) {
      diagnostics.push(errorDiagnostic("Invalid IAM Policy ARN", `Value must be a valid IAM Policy ARN, got ${all}`, path));
    }
  }
  return diagnostics;
}

function validateCustomerKey(config: Value, inEnvironment: string | undefined): readonly Diagnostic[] {
  const given = textAttribute(config, "sse_customer_key");
  const key = given ?? (inEnvironment || undefined);
  if (key === undefined) return [];
  const summary = given === undefined ? "Invalid AWS_SSE_CUSTOMER_KEY value" : "Invalid sse_customer_key value";
  const noun = given === undefined ? 'The environment variable "AWS_SSE_CUSTOMER_KEY"' : "sse_customer_key";
  const path = given === undefined ? undefined : pathOf("sse_customer_key");
  if (key.length !== 44) return [errorDiagnostic(summary, `${noun} must be 44 characters in length`, path)];
  const illegal = /[^A-Za-z0-9+/]/.exec(key.replace(/=$/, ""));
  if (illegal === null) return [];
  return [errorDiagnostic(summary, `${noun} must be base64 encoded: illegal base64 data at input byte ${illegal.index}`, path)];
}
