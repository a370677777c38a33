// SPDX-License-Identifier: Apache-2.0
import { stringify } from "yaml";

/**
 * Writes manifests as YAML documents, which `kubectl apply -f -` reads. The same manifests give the same text.
 *
 * Strings that YAML 1.1, which Kubernetes uses, would read as another type are quoted, such as `yes` and `1_000`.
 */
export function manifestText(manifests: Iterable<object>): string {
  const options = { version: "1.1", aliasDuplicateObjects: false, lineWidth: 0, indentSeq: false } as const;
  return [...manifests].map((manifest) => `---\n${stringify(manifest, options)}`).join("");
}
