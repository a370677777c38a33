// SPDX-License-Identifier: Apache-2.0

/**
 * Returns a value for the `User-Agent` header: `terraform-provider-notebook/1.0.0 Terraform/1.12.0 node/24.19.0`. The protocol does
 * not distinguish Terraform from OpenTofu: both send only a version. The value of `TF_APPEND_USER_AGENT` is appended.
 *
 * @see terraform-plugin-sdk helper/schema, Provider.UserAgent
 */
export function userAgentOf(name: string, version: string, terraformVersion: string | undefined): string {
  const core = terraformVersion ? ` Terraform/${terraformVersion}` : "";
  const appended = process.env["TF_APPEND_USER_AGENT"]?.trim() ?? "";
  return printable(`terraform-provider-${name}/${version}${core} node/${process.versions.node} ${appended}`);
}

/** Removes characters that are invalid in a header. */
function printable(text: string): string {
  return text.replaceAll(/[^\x20-\x7e]/g, "").trim();
}
