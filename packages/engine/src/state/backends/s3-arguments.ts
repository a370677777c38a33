// SPDX-License-Identifier: Apache-2.0
// The arguments of the backend `s3`, as OpenTofu 1.12.6 has them.
import { bool, map, number, set, string, type Type } from "@tenon/cty";
import { createAttribute, createBlock, type Attribute, type Block } from "@tenon/schema";

const attributes = (type: Type, names: string): Readonly<Record<string, Attribute>> =>
  Object.fromEntries(names.split(" ").map((name) => [name, createAttribute({ type, optional: true })]));

const nested = (given: Readonly<Record<string, Attribute>>): Attribute =>
  createAttribute({ optional: true, nested: { nesting: "single", attributes: given } });

const required = createAttribute({ type: string, required: true });
const sensitive = createAttribute({ type: string, optional: true, sensitive: true });

/** The schema of a `backend "s3"` block. @see OpenTofu internal/backend/remote-state/s3, Backend.ConfigSchema */
export const s3Arguments: Block = createBlock({
  attributes: {
    bucket: required,
    key: required,
    ...attributes(
      string,
      "region dynamodb_endpoint endpoint iam_endpoint sts_endpoint sts_region acl access_key secret_key kms_key_id dynamodb_table profile " +
        "shared_credentials_file token role_arn session_name external_id assume_role_policy workspace_key_prefix retry_mode " +
        "custom_ca_bundle ec2_metadata_service_endpoint ec2_metadata_service_endpoint_mode http_proxy https_proxy no_proxy",
    ),
    ...attributes(
      bool,
      "encrypt skip_credentials_validation skip_metadata_api_check skip_region_validation skip_requesting_account_id force_path_style " +
        "use_path_style insecure use_dualstack_endpoint use_fips_endpoint skip_s3_checksum use_lockfile",
    ),
    ...attributes(number, "assume_role_duration_seconds max_retries"),
    ...attributes(map(string), "state_tags lock_tags assume_role_tags"),
    ...attributes(
      set(string),
      "shared_credentials_files shared_config_files assume_role_policy_arns assume_role_transitive_tag_keys forbidden_account_ids " +
        "allowed_account_ids",
    ),
    sse_customer_key: sensitive,
    endpoints: nested(attributes(string, "s3 iam sts dynamodb")),
    assume_role: nested({
      role_arn: required,
      ...attributes(string, "duration external_id policy session_name"),
      ...attributes(set(string), "policy_arns transitive_tag_keys"),
      ...attributes(map(string), "tags"),
    }),
    assume_role_with_web_identity: nested({
      ...attributes(string, "role_arn web_identity_token_file session_name policy duration"),
      web_identity_token: sensitive,
      ...attributes(set(string), "policy_arns"),
    }),
  },
});
