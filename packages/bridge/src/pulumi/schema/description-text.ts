// SPDX-License-Identifier: Apache-2.0
import type { Block } from "@tenon/schema";

/**
 * Returns a description for the documents of SDKs: the text of the provider without spaces around it. Links to other pages of the provider's
 * own documents become their texts, because the pages are not there.
 */
export function descriptionText(text: string): string {
  if (!text.includes("](")) return text.trim();
  return text.replaceAll(/\[([^[\]]+)\]\((?![a-z][a-z0-9+.-]*:)(?!#)[^()\s]*\)/gi, "$1").trim();
}

/** Message of something deprecated; empty otherwise. */
export function deprecation(part: Pick<Block, "deprecated" | "deprecationMessage"> | undefined): string {
  if (!part?.deprecated) return "";
  return part.deprecationMessage === "" ? "Deprecated" : part.deprecationMessage;
}
