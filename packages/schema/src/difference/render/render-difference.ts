// SPDX-License-Identifier: Apache-2.0
import type { BlockDifferences, Difference, DifferenceContent } from "../difference.ts";
import { grouped, plainStyle, type DifferenceStyle } from "./difference-style.ts";
import {
  arrow,
  attributeName,
  becomesNull,
  forcesReplacement,
  indent,
  quoted,
  sign,
  signOfWhole,
  type ChangeSign,
  type Rendering,
} from "./rendering.ts";
import { renderPrimitive } from "./render-primitive.ts";

/** Options of {@link renderDifference}. */
export interface RenderDifferenceOptions {
  /**
   * Action on the whole, where the difference cannot know it. Default: the action of the difference.
   * Parts of an object that is forgotten have no signs.
   */
  readonly action?: ChangeSign;
  /** Text before the block, such as `resource "aws_instance" "web"`. Default: none. */
  readonly header?: string;
  /** Default: no decoration. */
  readonly style?: DifferenceStyle;
  /** Whether sensitive values are shown. Default: false. */
  readonly showSensitive?: boolean;
  /** Whether the whole and its parts have signs. If not, the text has the form of a configuration. Default: true. */
  readonly showSigns?: boolean;
  /** Whether the whole has a sign. Default: whether signs are shown. */
  readonly showSignOfWhole?: boolean;
  /** Whether unchanged parts are shown. Default: false. */
  readonly showUnchanged?: boolean;
  /**
   * Whether the note about replacement is also after the value before, where the value after is unknown. OpenTofu prints it after both,
   * Terraform after the whole. Default: false.
   */
  readonly repeatReplacementNote?: boolean;
}

/**
 * Renders a difference as the cores do in a plan: as lines without a final line break.
 *
 * @see OpenTofu internal/command/jsonformat/computed/renderers
 */
export function renderDifference(difference: Difference, options: RenderDifferenceOptions = {}): string {
  const { action = difference.action, style = plainStyle, showSigns = true } = options;
  const rendering: Rendering = {
    style,
    showSensitive: options.showSensitive ?? false,
    showUnchanged: options.showUnchanged ?? false,
    repeatReplacementNote: options.repeatReplacementNote ?? false,
    showSigns: showSigns && action !== "forget",
    isNullImplied: action === "forget",
    forcesReplacement: false,
    renderValue,
  };
  const header = options.header === undefined ? "" : `${options.header} `;
  return `${(options.showSignOfWhole ?? showSigns) ? signOfWhole(action, style) : ""}${header}${renderValue(difference, 0, rendering)}`;
}

/** Renders the text to the right of a name. Lines after the first are indented by the depth. */
function renderValue(difference: Difference, depth: number, rendering: Rendering): string {
  const { content } = difference;
  switch (content.kind) {
    case "primitive":
      return renderPrimitive(difference, content.type, depth, rendering);
    case "unknown":
      return renderUnknown(difference, content, depth, rendering);
    case "sensitive":
      if (rendering.showSensitive) return renderValue(content.inner, depth, rendering);
      return `(sensitive value)${toNull(difference, rendering)}${replacement(difference, rendering)}`;
    case "writeOnly":
      return `(write-only attribute)${replacement(difference, rendering)}${toNull(difference, rendering)}`;
    case "typeChange": {
      const inside = { ...rendering, isNullImplied: true };
      return `${renderValue(content.before, depth, inside)} ${arrow(rendering.style)} ${renderValue(content.after, depth, inside)}`;
    }
    case "object":
      return renderObject(difference, content, depth, rendering);
    case "map":
      return renderMap(difference, content, depth, rendering);
    case "list":
      return renderList(difference, content, depth, rendering);
    case "set":
      return renderSet(difference, content, depth, rendering);
    default:
      return renderBlock(difference, content, depth, rendering);
  }
}

type Content<Kind extends DifferenceContent["kind"]> = Extract<DifferenceContent, { readonly kind: Kind }>;

function renderUnknown(difference: Difference, content: Content<"unknown">, depth: number, rendering: Rendering): string {
  const unknown = `(known after apply)${replacement(difference, rendering)}`;
  if (difference.action === "create" || !content.before) return unknown;
  const before = rendering.repeatReplacementNote ? content.before : { ...content.before, forcesReplacement: false };
  return `${renderValue(before, depth, { ...rendering, isNullImplied: true })} -> ${unknown}`;
}

/** Attributes that identify an object: they are shown even if they are unchanged. */
const identifying: ReadonlySet<string> = new Set(["id", "name", "tags"]);

function renderObject(difference: Difference, content: Content<"object">, depth: number, rendering: Rendering): string {
  if (content.attributes.size === 0) return `{}${toNull(difference, rendering)}${replacement(difference, rendering)}`;
  const inside = nestedRendering(rendering, { isNullImplied: !content.nested });
  const lines = attributeLines(content.attributes, depth, inside, rendering);
  return `{${replacement(difference, rendering)}\n${lines.join("\n")}\n${closing("}", depth, rendering)}${toNull(difference, rendering)}`;
}

/** Renders each shown attribute, and a line with the number of hidden ones. */
function attributeLines(attributes: ReadonlyMap<string, Difference>, depth: number, inside: Rendering, around: Rendering): string[] {
  const names: string[] = [];
  let width = 0;
  for (const name of attributes.keys()) {
    const text = attributeName(name);
    names.push(text);
    width = Math.max(width, columnWidth(text));
  }
  let index = 0;
  const identifyingRendering: Rendering = { ...inside, showUnchanged: true };
  const lines: string[] = [];
  let hidden = 0;
  for (const [name, attribute] of attributes) {
    const text = names[index++]!;
    const isIdentifying = identifying.has(name);
    if (attribute.action === "noOp" && !isIdentifying && !around.showUnchanged) {
      hidden++;
      continue;
    }
    const rendering = isIdentifying ? identifyingRendering : inside;
    addWarning(lines, attribute, depth + 1, rendering);
    lines.push(
      `${indent(depth + 1)}${sign(attribute.action, rendering)}${padded(text, width)} = ${renderValue(attribute, depth + 1, rendering)}`,
    );
  }
  if (hidden > 0) lines.push(hiddenLine("attribute", hidden, depth, around));
  return lines;
}

function renderMap(difference: Difference, content: Content<"map">, depth: number, rendering: Rendering): string {
  // For nested attributes the note about replacement is on the elements, not on the map.
  const forcesHere = difference.forcesReplacement && !content.nested;
  if (content.elements.size === 0) return `{}${toNull(difference, rendering)}${comment(forcesHere, rendering)}`;
  const inside = nestedRendering(rendering, {
    isNullImplied: difference.action === "delete" || content.nested,
    forcesReplacement: difference.forcesReplacement && content.nested,
  });
  let width = 0;
  if (!content.nested) for (const key of content.elements.keys()) width = Math.max(width, columnWidth(quoted(key)));
  const lines: string[] = [];
  let hidden = 0;
  for (const [key, element] of content.elements) {
    if (element.action === "noOp" && !rendering.showUnchanged) {
      hidden++;
      continue;
    }
    const comma = element.content.kind === "object" ? "," : "";
    addWarning(lines, element, depth + 1, rendering);
    lines.push(
      `${indent(depth + 1)}${sign(element.action, inside)}${padded(quoted(key), width)} = ${renderValue(element, depth + 1, inside)}${comma}`,
    );
  }
  if (hidden > 0) lines.push(hiddenLine("element", hidden, depth, rendering));
  return `{${comment(forcesHere, rendering)}\n${lines.join("\n")}\n${closing("}", depth, rendering)}${toNull(difference, rendering)}`;
}

function renderList(difference: Difference, content: Content<"list">, depth: number, rendering: Rendering): string {
  if (content.elements.length === 0) return `[]${toNull(difference, rendering)}${replacement(difference, rendering)}`;
  const inside = nestedRendering(rendering, { isNullImplied: true });
  const lines = content.nested
    ? elementLines(content.elements, depth, inside, rendering)
    : linesInContext(content.elements, depth, inside, rendering);
  return `[${replacement(difference, rendering)}\n${lines.join("\n")}\n${closing("]", depth, rendering)}${toNull(difference, rendering)}`;
}

function renderSet(difference: Difference, content: Content<"set">, depth: number, rendering: Rendering): string {
  const forcesHere = difference.forcesReplacement && !content.nested;
  if (content.elements.length === 0) return `[]${toNull(difference, rendering)}${comment(forcesHere, rendering)}`;
  const inside = nestedRendering(rendering, { isNullImplied: true, forcesReplacement: difference.forcesReplacement && content.nested });
  const lines = elementLines(content.elements, depth, inside, rendering);
  return `[${comment(forcesHere, rendering)}\n${lines.join("\n")}\n${closing("]", depth, rendering)}${toNull(difference, rendering)}`;
}

function elementLines(elements: readonly Difference[], depth: number, inside: Rendering, around: Rendering): string[] {
  const shown = around.showUnchanged ? elements : elements.filter((element) => element.action !== "noOp");
  const lines = shown.flatMap((element) => elementLine(element, depth, inside));
  const hidden = elements.length - shown.length;
  return hidden > 0 ? [...lines, hiddenLine("element", hidden, depth, around)] : lines;
}

/** Renders changed elements together with their unchanged neighbours. */
function linesInContext(elements: readonly Difference[], depth: number, inside: Rendering, around: Rendering): string[] {
  if (around.showUnchanged) return elements.flatMap((element) => elementLine(element, depth, inside));
  const unchanged: Rendering = { ...nestedRendering(around, {}), showUnchanged: true };
  const lines: string[] = [];
  let unchangedRun: Difference[] = [];
  let isAfterChange = false;
  for (const element of elements) {
    if (element.action === "noOp" && !isAfterChange) {
      unchangedRun.push(element);
      continue;
    }
    if (unchangedRun.length > 1) lines.push(hiddenLine("element", unchangedRun.length - 1, depth, inside));
    const last = unchangedRun.at(-1);
    if (last) lines.push(...elementLine(last, depth, unchanged));
    unchangedRun = [];
    isAfterChange = element.action !== "noOp";
    lines.push(...elementLine(element, depth, isAfterChange ? inside : unchanged));
  }
  if (unchangedRun.length > 0) lines.push(hiddenLine("element", unchangedRun.length, depth, around));
  return lines;
}

function elementLine(element: Difference, depth: number, rendering: Rendering): string[] {
  return [
    ...warningLines(element, "attribute value", depth + 1, rendering),
    `${indent(depth + 1)}${sign(element.action, rendering)}${renderValue(element, depth + 1, rendering)},`,
  ];
}

function renderBlock(difference: Difference, content: Content<"block">, depth: number, rendering: Rendering): string {
  if (content.attributes.size === 0 && content.blocks.size === 0) return `{}${replacement(difference, rendering)}`;
  const lines = [`{${replacement(difference, rendering)}`];
  const inside = nestedRendering(rendering, { isNullImplied: rendering.isNullImplied });
  if (content.attributes.size > 0) lines.push(...attributeLines(content.attributes, depth, inside, rendering));
  let hidden = 0;
  for (const [name, nested] of content.blocks) {
    let isFirst = true;
    for (const { key, difference: block } of nested.blocks) {
      const shown = hiddenBlock(block, nested, rendering);
      if (shown.action === "noOp" && !rendering.showUnchanged) {
        hidden++;
        continue;
      }
      if (isFirst && content.attributes.size > 0) lines.push("");
      isFirst = false;
      const blockRendering = nestedRendering(rendering, {
        isNullImplied: rendering.isNullImplied,
        forcesReplacement: nested.forcesReplacement,
      });
      lines.push(...warningLines(shown, "block", depth + 1, blockRendering));
      const label = key === undefined ? "" : ` ${quoted(key)}`;
      const isHidden = shown.content.kind === "sensitive" && !rendering.showSensitive;
      const body = isHidden ? sensitiveBlock(shown, depth + 1, blockRendering) : renderValue(shown, depth + 1, blockRendering);
      lines.push(`${indent(depth + 1)}${sign(shown.action, blockRendering)}${attributeName(name)}${label} ${body}`);
    }
  }
  if (hidden > 0) lines.push("", hiddenLine("block", hidden, depth, rendering));
  return `${lines.join("\n")}\n${closing("}", depth, rendering)}`;
}

/** Returns the block, or a sensitive placeholder where its content must not be shown. */
function hiddenBlock(block: Difference, { sensitive }: BlockDifferences, rendering: Rendering): Difference {
  const { before, after } = sensitive;
  const isHidden = block.action === "create" ? after : block.action === "delete" ? before : before || after;
  if (!isHidden || rendering.showSensitive) return block;
  const action = block.action === "noOp" && before !== after ? "update" : block.action;
  return { ...block, action, content: { kind: "sensitive", inner: block, before, after } };
}

function sensitiveBlock(block: Difference, depth: number, rendering: Rendering): string {
  const start = closing("", depth, rendering);
  return (
    `{${replacement(block, rendering)}\n` +
    `${start}  # At least one attribute in this block is (or was) sensitive,\n` +
    `${start}  # so its contents will not be displayed.\n${start}}`
  );
}

/** Adds the warning above a value, if it has one. */
function addWarning(lines: string[], difference: Difference, depth: number, rendering: Rendering): void {
  if (difference.content.kind === "sensitive") lines.push(...warningLines(difference, "attribute value", depth, rendering));
}

/** Returns the warning above a block or value that becomes, or is no longer, sensitive. */
function warningLines({ content }: Difference, subject: "block" | "attribute value", depth: number, rendering: Rendering): string[] {
  if (content.kind !== "sensitive" || content.before === content.after) return [];
  const { action } = content.inner;
  if (action === "create" || action === "delete") return [];
  const start = `${indent(depth)}  # `;
  const warning = `${start}${rendering.style.updated("Warning")}: this ${subject} will`;
  const text = content.before
    ? `${warning} no longer be marked as sensitive\n${start}after applying this change.`
    : `${warning} be marked as sensitive and will not\n${start}display in UI output after applying this change.`;
  const lines = grouped(text, rendering.style).split("\n");
  if (action === "noOp" && subject === "attribute value") lines.push(`${lines.pop()!} The value is unchanged.`);
  return lines;
}

/** The width of a column of names: as in the cores, the number of UTF-8 bytes of the longest one. */
function columnWidth(name: string): number {
  return Buffer.byteLength(name);
}

/** Pads a name with spaces. As in the cores, code points are counted here. */
function padded(name: string, width: number): string {
  const count = Buffer.byteLength(name) === name.length ? name.length : [...name].length;
  return count >= width ? name : name + " ".repeat(width - count);
}

function nestedRendering(rendering: Rendering, parts: Partial<Pick<Rendering, "isNullImplied" | "forcesReplacement">>): Rendering {
  const { isNullImplied = rendering.isNullImplied, forcesReplacement = false } = parts;
  const isSame = rendering.isNullImplied === isNullImplied && rendering.forcesReplacement === forcesReplacement;
  return isSame ? rendering : { ...rendering, isNullImplied, forcesReplacement };
}

function closing(bracket: string, depth: number, rendering: Rendering): string {
  return `${indent(depth)}${sign("noOp", rendering)}${bracket}`;
}

function hiddenLine(what: "attribute" | "element" | "block", count: number, depth: number, rendering: Rendering): string {
  return `${indent(depth + 1)}${sign("noOp", rendering)}${grouped(rendering.style.faint(`# (${count} unchanged ${what}${count === 1 ? "" : "s"} hidden)`), rendering.style)}`;
}

function toNull(difference: Difference, rendering: Rendering): string {
  return difference.action === "delete" && !rendering.isNullImplied ? becomesNull(rendering.style) : "";
}

function replacement(difference: Difference, rendering: Rendering): string {
  return comment(difference.forcesReplacement, rendering);
}

function comment(forces: boolean, rendering: Rendering): string {
  return forces || rendering.forcesReplacement ? forcesReplacement(rendering.style) : "";
}
