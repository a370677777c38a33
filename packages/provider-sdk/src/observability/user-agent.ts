// SPDX-License-Identifier: Apache-2.0

/**
 * Who asks, for the `User-Agent` header: `terraform-provider-notebook/1.0.0 Terraform/1.12.0 node/24.19.0`. The protocol does not
 * say whether Terraform or OpenTofu asks: both name themselves by a version alone. What `TF_APPEND_USER_AGENT` says comes last.
 *
 * @see terraform-plugin-sdk helper/schema, Provider.UserAgent
 */
export function userAgentOf(name: string, version: string, terraformVersion: string | undefined): string {
  const core = terraformVersion ? ` Terraform/${terraformVersion}` : "";
  const appended = process.env["TF_APPEND_USER_AGENT"]?.trim() ?? "";
  return printable(`terraform-provider-${name}/${version}${core} node/${process.versions.node} ${appended}`);
}

/** Anything else would end the header. */
function printable(text: string): string {
  return text.replaceAll(/[^\x20-\x7e]/g, "").trim();
}
