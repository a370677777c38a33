// SPDX-License-Identifier: Apache-2.0
import { formatRange, type Body, type Diagnostic, type SourceRange } from "@tenon/hcl";
import type { Block, BodyContent, BodySchema } from "@tenon/hcl/body";
import { attributesNamed, contentOf, partialContentOf } from "./block-content.ts";
import { readBool, readString } from "./literal.ts";
import { hasErrorsSince, reportError, type Report } from "./report.ts";

/** An `encryption` block. The engine checks it, but does not support state encryption. */
export interface EncryptionBlock {
  readonly body: Body;
  readonly range: SourceRange;
}

const schema: BodySchema = {
  blocks: [
    { type: "key_provider", labelNames: ["type", "name"] },
    { type: "method", labelNames: ["type", "name"] },
    { type: "state" },
    { type: "plan" },
    { type: "remote_state_data_sources" },
  ],
};
const targetSchema: BodySchema = { attributes: attributesNamed("method"), blocks: [{ type: "fallback" }] };
const enforceableSchema: BodySchema = { attributes: attributesNamed("enforced", "method"), blocks: [{ type: "fallback" }] };
const remoteSchema: BodySchema = { blocks: [{ type: "default" }, { type: "remote_state_data_source", labelNames: ["name"] }] };

const namePattern = /^([a-zA-Z_0-9-]+)$/;

/** Reads an `encryption` block. Returns undefined and reports errors if it is invalid. @see OpenTofu encryption/config, DecodeConfig */
export function readEncryption(block: Block, report: Report): EncryptionBlock | undefined {
  const start = report.length;
  const range = block.declarationRange;
  const content = contentOf(block.body, schema, report);
  for (const nested of content.blocks) {
    if (nested.type === "key_provider") {
      const alias = partialContentOf(nested.body, { attributes: attributesNamed("encrypted_metadata_alias") }, report).content;
      const expression = alias.attributes.get("encrypted_metadata_alias")?.expression;
      if (expression !== undefined) readString(expression, report);
    } else if (nested.type === "state" || nested.type === "plan") {
      checkSingle(content.blocks, nested, report);
      checkTarget(contentOf(nested.body, enforceableSchema, report), report);
    } else if (nested.type === "remote_state_data_sources") {
      checkSingle(content.blocks, nested, report);
      const remote = contentOf(nested.body, remoteSchema, report);
      for (const target of remote.blocks) {
        if (target.type === "default") checkSingle(remote.blocks, target, report);
        checkTarget(contentOf(target.body, targetSchema, report), report);
      }
    }
  }
  if (hasErrorsSince(report, start)) return undefined;
  checkAddresses(content, "key_provider", ["key provider", "Duplicate key_provider"], range, report);
  checkAddresses(content, "method", ["encryption method", "Duplicate method"], range, report);
  for (const nested of content.blocks) {
    if (nested.type !== "remote_state_data_sources") continue;
    const names = nested.body.partialContent(remoteSchema).content.blocks.flatMap(({ type, labels }) => (type === "default" ? [] : labels));
    for (const [index, name] of names.entries()) {
      if (!names.some((other, position) => position !== index && other === name)) continue;
      reportError(report, "Duplicate remote_data_source", `Found multiple instances of remote_data_source.${name}`, range);
    }
  }
  return hasErrorsSince(report, start) ? undefined : { body: block.body, range };
}

/** Adds gohcl's error about the second block of a type that may occur only once. @see gohcl.DecodeBody */
function checkSingle(blocks: readonly Block[], block: Block, report: Report): void {
  const [first, second] = blocks.filter(({ type }) => type === block.type);
  if (second === undefined || block !== first) return;
  const detail = `Only one ${block.type} block is allowed. Another was defined at ${formatRange(first.declarationRange)}.`;
  reportError(report, `Duplicate ${block.type} block`, detail, second.declarationRange);
}

function checkTarget({ attributes, blocks }: BodyContent, report: Report): void {
  const enforced = attributes.get("enforced")?.expression;
  if (enforced !== undefined) readBool(enforced, report);
  for (const nested of blocks) {
    checkSingle(blocks, nested, report);
    checkTarget(contentOf(nested.body, targetSchema, report), report);
  }
}

function checkAddresses(
  { blocks }: BodyContent,
  type: "key_provider" | "method",
  [noun, duplicate]: readonly [string, string],
  range: SourceRange,
  report: Report,
): void {
  const addresses = blocks.filter((block) => block.type === type).map(({ labels }) => labels.join("."));
  for (const [index, address] of addresses.entries()) {
    if (addresses.some((other, position) => position !== index && other === address)) {
      reportError(report, duplicate, `Found multiple instances of ${type}.${address}`, range);
    }
  }
  for (const { labels } of blocks.filter((block) => block.type === type)) {
    for (const [position, part] of (["type", "name"] as const).entries()) {
      const label = labels[position]!;
      if (namePattern.test(label)) continue;
      const detail = `The supplied ${noun} ${part} (${label}) does not match the required form of ${namePattern.source}.`;
      reportError(report, `The provided ${noun} ${part} is invalid`, detail);
    }
  }
}

/** The error for a configuration with state encryption, which is not implemented: its state must not be stored in clear text. */
export function encryptionDiagnostics(encryption: EncryptionBlock | undefined): readonly Diagnostic[] {
  if (encryption === undefined) return [];
  const detail =
    "The engine does not implement state encryption, and would store the state in clear text. Remove the `encryption` block, and use a state store that encrypts.";
  return [{ severity: "error", summary: "Unsupported state encryption", detail, subject: encryption.range }];
}
