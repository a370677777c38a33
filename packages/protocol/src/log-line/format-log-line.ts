// SPDX-License-Identifier: Apache-2.0
import { Buffer } from "node:buffer";
import { type LogLine, maxLineBytes, reservedKeys } from "./log-line.ts";

/**
 * Writes a line as a host reads it from a provider's standard error: one JSON object and a line end. Never throws.
 *
 * - A field named like a key of the line itself gets underscores in front, as many as make it unique: hosts crash on
 *   an `@message` that is no string.
 * - The timestamp has exactly six digits after the second: a host takes a line with any other for plain text. Default: now.
 * - What JSON cannot hold is written as text: big integers, errors (their message), bytes (base64), cycles, functions.
 * - A line too long for hosts is cut at its longest values until it fits.
 *
 * @see go-hclog intlogger.go, logJSON; go-plugin log_entry.go, parseJSON
 *
 * @example
 * formatLogLine({ level: "info", message: "created", timestamp: new Date(0), fields: { id: 7 } })
 * // => '{"@level":"info","@message":"created","@timestamp":"1970-01-01T00:00:00.000000Z","id":7}\n'
 */
export function formatLogLine(line: LogLine): string {
  const entries = new Map<string, string>([
    ["@level", quote(line.level)],
    ["@message", quote(line.message)],
    ["@timestamp", quote(formatTimestamp(line.timestamp))],
  ]);
  if (line.module) entries.set("@module", quote(line.module));
  if (line.caller) entries.set("@caller", quote(line.caller));
  for (const [key, value] of Object.entries(line.fields ?? {})) {
    const text = encode(value);
    if (text !== undefined) entries.set(freeKey(key, entries, line.fields ?? {}), text);
  }
  const text = join(entries);
  return Buffer.byteLength(text) <= maxLineBytes ? text : join(cut(entries));
}

/** A JSON string, whatever a caller without types hands in. */
function quote(text: unknown): string {
  return JSON.stringify(String(text));
}

function join(entries: ReadonlyMap<string, string>): string {
  return `{${[...entries].map(([key, text]) => `${JSON.stringify(key)}:${text}`).join(",")}}\n`;
}

function formatTimestamp(timestamp: Date = new Date()): string {
  const date = Number.isNaN(timestamp.getTime()) ? new Date() : timestamp;
  return date.toISOString().replace("Z", "000Z");
}

function freeKey(key: string, entries: ReadonlyMap<string, string>, fields: Readonly<Record<string, unknown>>): string {
  if (!reservedKeys.has(key)) return key;
  let free = `_${key}`;
  while (entries.has(free) || Object.hasOwn(fields, free)) free = `_${free}`;
  return free;
}

/** JSON of a field, or undefined for an undefined one. */
function encode(value: unknown): string | undefined {
  try {
    const ancestors: unknown[] = [];
    return JSON.stringify(value, function replace(this: unknown, key: string, item: unknown): unknown {
      // `this` holds the item: what lies above it in the stack is done with.
      ancestors.length = ancestors.lastIndexOf(this) + 1;
      const text = asText(Buffer.isBuffer((this as Record<string, unknown>)[key]) ? (this as Record<string, unknown>)[key] : item);
      if (text !== undefined) return text;
      if (typeof item !== "object" || item === null) return item;
      if (ancestors.includes(item)) return "(circular)";
      ancestors.push(item);
      if (item instanceof Map) return Object.fromEntries(item);
      return item instanceof Set ? [...item] : item;
    });
  } catch (error) {
    return JSON.stringify(`(not shown: ${error instanceof Error ? error.message : "it cannot be read"})`);
  }
}

/** The text that stands for a value JSON has no form for. */
function asText(value: unknown): string | undefined {
  if (typeof value === "bigint" || (typeof value === "number" && !Number.isFinite(value))) return `${value}`;
  if (typeof value === "function") return `(function ${value.name})`;
  if (typeof value === "symbol") return value.toString();
  if (value instanceof Error) return `${value.name}: ${value.message}`;
  return value instanceof Uint8Array ? Buffer.from(value).toString("base64") : undefined;
}

/** Halves what a single value may take until all fit. */
function cut(entries: ReadonlyMap<string, string>): Map<string, string> {
  for (let budget = maxLineBytes >> 1; budget > 16; budget >>= 1) {
    const shorter = new Map([...entries].map(([key, text]) => [key, text.length > budget ? shorten(text, budget) : text]));
    if (Buffer.byteLength(join(shorter)) <= maxLineBytes) return shorter;
  }
  // So many fields that even short ones are too much: what is left is what every line has.
  const essential = new Map([...entries].filter(([key]) => reservedKeys.has(key)).map(([key, text]) => [key, shorten(text, 1024)]));
  return essential.set("tenon_fields_dropped", `${entries.size - essential.size}`);
}

function shorten(text: string, budget: number): string {
  if (text.length <= budget) return text;
  const whole = text.startsWith('"') ? (JSON.parse(text) as string) : text;
  return JSON.stringify(`${whole.slice(0, budget)}… (${whole.length - budget} more)`);
}
