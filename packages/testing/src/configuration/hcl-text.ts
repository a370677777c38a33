// SPDX-License-Identifier: Apache-2.0

/** Writes data as an expression of the configuration language. Its texts are no templates. */
export function hclText(data: unknown): string {
  // JSON is valid in the language but for the markers of templates.
  return JSON.stringify(data).replaceAll(/[$%](?=\{)/g, "$&$&");
}
