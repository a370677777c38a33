// SPDX-License-Identifier: Apache-2.0
import { dynamic, string, type Type, type Value } from "@tenon/cty";
import { decode, impliedType } from "@tenon/cty/json";
import { isNumberPayload, numberText } from "@tenon/cty/unstable/payload";
import { alignedPairs } from "../compare/alignment.ts";
import type { Difference } from "../difference.ts";
import { typeDifference } from "../compare/type-difference.ts";
import { grouped } from "./difference-style.ts";
import { arrow, becomesNull, forcesReplacement, indent, quoted, sign, type Rendering } from "./rendering.ts";
import { nothing, type ValuePair, type Side } from "../compare/value-pair.ts";

/** Renders a string, number, bool or null, or two of them with an arrow. Text with line breaks is rendered as lines, JSON as its value. */
export function renderPrimitive(difference: Difference, type: Type, depth: number, rendering: Rendering): string {
  const { before, after } = difference;
  if (type.kind === "string") return renderText(difference, depth, rendering);
  const replacement = suffix(difference, rendering);
  switch (difference.action) {
    case "create":
      return `${plainText(after, rendering)}${replacement}`;
    case "delete":
      return `${plainText(before, rendering)}${toNull(rendering)}${replacement}`;
    case "noOp":
      return `${plainText(before, rendering)}${replacement}`;
    default:
      return `${plainText(before, rendering)} ${arrow(rendering.style)} ${plainText(after, rendering)}${replacement}`;
  }
}

function plainText(value: Value | undefined, rendering: Rendering): string {
  if (value === undefined) return grouped(rendering.style.faint("null"), rendering.style);
  const { payload } = value;
  if (isNumberPayload(payload)) return numberText(payload);
  return typeof payload === "string" ? quoted(payload) : typeof payload === "boolean" ? String(payload) : "(opaque value)";
}

function renderText(difference: Difference, depth: number, rendering: Rendering): string {
  const before = difference.before?.payload as string | undefined;
  const after = difference.after?.payload as string | undefined;
  const { action } = difference;
  if (action !== "update") {
    const text = action === "delete" ? before : after;
    if (text === undefined) return `${plainText(undefined, rendering)}${suffix(difference, rendering)}`;
    const json = jsonOf(text);
    if (json)
      return renderJson(difference, action === "create" ? undefined : json, action === "delete" ? undefined : json, depth, rendering);
    const nullNote = action === "delete" ? toNull(rendering) : "";
    if (!text.includes("\n")) return `${quoted(text)}${nullNote}${suffix(difference, rendering)}`;
    const lines = text.trim().split("\n");
    return heredoc(
      difference,
      lines.map((line) => `${indent(depth + 1)}${sign("noOp", rendering)}${line}`),
      depth,
      rendering,
    );
  }
  const [jsonBefore, jsonAfter] = [before === undefined ? undefined : jsonOf(before), after === undefined ? undefined : jsonOf(after)];
  if (jsonBefore && jsonAfter) return renderJson(difference, jsonBefore, jsonAfter, depth, rendering);
  if (jsonBefore || jsonAfter) return renderSeparately(difference, depth, rendering);
  if (!before?.includes("\n") && !after?.includes("\n")) {
    return `${plainText(difference.before, rendering)} ${arrow(rendering.style)} ${plainText(difference.after, rendering)}${suffix(difference, rendering)}`;
  }
  return heredoc(difference, changedLines(before ?? "null", after ?? "null", depth, rendering), depth, rendering);
}

/** Renders a text that is JSON and one that is not, without comparing them. */
function renderSeparately(difference: Difference, depth: number, rendering: Rendering): string {
  const inside = { ...rendering, isNullImplied: true };
  const { before, after } = difference;
  const deleted: Difference = {
    action: "delete",
    forcesReplacement: false,
    content: { kind: "primitive", type: string },
    ...(before ? { before } : {}),
  };
  const created: Difference = {
    action: "create",
    forcesReplacement: false,
    content: { kind: "primitive", type: string },
    ...(after ? { after } : {}),
  };
  return `${renderPrimitive(deleted, string, depth, inside)} ${arrow(rendering.style)} ${renderPrimitive(created, string, depth, inside)}`;
}

function changedLines(before: string, after: string, depth: number, rendering: Rendering): string[] {
  const [old, now] = [textLines(before), textLines(after)];
  const pairs = alignedPairs(
    old,
    now,
    (a, b) => a === b,
    () => false,
  );
  return pairs.map((pair) => {
    const action = pair.before === undefined ? "create" : pair.after === undefined ? "delete" : "noOp";
    return `${indent(depth + 1)}${sign(action, rendering)}${pair.before === undefined ? now[pair.after!]! : old[pair.before]!}`;
  });
}

function textLines(text: string): string[] {
  return (text.includes("\n") ? text.trim() : text).split("\n");
}

function heredoc(difference: Difference, lines: readonly string[], depth: number, rendering: Rendering): string {
  const nullNote = difference.action === "delete" ? toNull(rendering) : "";
  return `<<-EOT${suffix(difference, rendering)}\n${lines.join("\n")}\n${indent(depth)}${sign("noOp", rendering)}EOT${nullNote}`;
}

/** Decodes JSON text of an object or an array; undefined for other text. */
function jsonOf(text: string): Value | undefined {
  if (!text.startsWith("{") && !text.startsWith("[")) return undefined;
  try {
    return decode(text, impliedType(text));
  } catch {
    return undefined;
  }
}

function renderJson(
  difference: Difference,
  before: Value | undefined,
  after: Value | undefined,
  depth: number,
  rendering: Rendering,
): string {
  const sideOf = (value: Value | undefined): Side => (value ? { value, isPresent: true, sensitive: false } : nothing);
  const pair: ValuePair = {
    before: sideOf(before),
    after: sideOf(after),
    unknown: false,
    requiresReplace: [],
    isSensitiveMark: () => false,
    hidesSets: true,
    hidden: { before: false, after: false },
  };
  const json = typeDifference(pair, dynamic);
  const isWhitespace = json.action === "noOp" && difference.action === "update";
  const forces = difference.forcesReplacement;
  const whitespace = isWhitespace ? (forces ? " # whitespace changes force replacement" : " # whitespace changes") : "";
  const replacement = isWhitespace ? "" : suffix(difference, rendering);
  const inside = { ...rendering, isNullImplied: true, forcesReplacement: false, ...(isWhitespace ? { showUnchanged: true } : {}) };
  const text = rendering.renderValue(json, depth + 1, inside);
  if (!text.includes("\n")) return `jsonencode(${text})${whitespace}${replacement}`;
  const action = difference.action === "update" && !isWhitespace ? "update" : "noOp";
  const nullNote = difference.action === "delete" ? toNull(rendering) : "";
  return (
    `jsonencode(${whitespace}\n${indent(depth + 1)}${sign(action, rendering)}${text}${replacement}\n` +
    `${indent(depth)}${sign("noOp", rendering)})${nullNote}`
  );
}

function toNull(rendering: Rendering): string {
  return rendering.isNullImplied ? "" : becomesNull(rendering.style);
}

function suffix(difference: Difference, rendering: Rendering): string {
  return difference.forcesReplacement || rendering.forcesReplacement ? forcesReplacement(rendering.style) : "";
}
