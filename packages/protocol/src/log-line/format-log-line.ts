// SPDX-License-Identifier: Apache-2.0
import { Buffer } from "node:buffer";
import { type LogLine, maxLineBytes, reservedKeys } from "./log-line.ts";

/**
 * Formats a line for a provider's standard error: a JSON object and a line end. Never throws.
 *
 * - A field with a reserved key gets underscores in front until its name is unique: hosts crash on an `@message` that is not a string.
 * - The timestamp has exactly six fractional digits: a host treats a line with another format as plain text. Default: now.
 * - Values that JSON cannot represent are written as text: big integers, errors (their message), bytes (base64), cycles, functions.
 * - When the line is too long for hosts, its longest values are truncated.
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
    if (text !== undefined) entries.set(uniqueKey(key, entries, line.fields ?? {}), text);
  }
  const text = join(entries);
  return Buffer.byteLength(text) <= maxLineBytes ? text : join(truncate(entries));
}

/** Formats a JSON string. Accepts values of any type, because callers may not be type-checked. */
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

function uniqueKey(key: string, entries: ReadonlyMap<string, string>, fields: Readonly<Record<string, unknown>>): string {
  if (!reservedKeys.has(key)) return key;
  let free = `_${key}`;
  while (entries.has(free) || Object.hasOwn(fields, free)) free = `_${free}`;
  return free;
}

/** Formats the value of a field as JSON; undefined for an undefined value. */
function encode(value: unknown): string | undefined {
  try {
    const ancestors: unknown[] = [];
    return JSON.stringify(value, function replace(this: unknown, key: string, item: unknown): unknown {
      // `this` contains the item, so the objects above `this` on the stack are complete.
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
    return JSON.stringify(`(not serializable: ${error instanceof Error ? error.message : "unknown error"})`);
  }
}

/** Text of a value that JSON cannot represent; undefined for other values. */
function asText(value: unknown): string | undefined {
  if (typeof value === "bigint" || (typeof value === "number" && !Number.isFinite(value))) return `${value}`;
  if (typeof value === "function") return `(function ${value.name})`;
  if (typeof value === "symbol") return value.toString();
  if (value instanceof Error) return `${value.name}: ${value.message}`;
  return value instanceof Uint8Array ? Buffer.from(value).toString("base64") : undefined;
}

/** Truncates the values to a maximum length, which is halved until the line fits. */
function truncate(entries: ReadonlyMap<string, string>): Map<string, string> {
  for (let budget = maxLineBytes >> 1; budget > 16; budget >>= 1) {
    const shorter = new Map([...entries].map(([key, text]) => [key, text.length > budget ? shorten(text, budget) : text]));
    if (Buffer.byteLength(join(shorter)) <= maxLineBytes) return shorter;
  }
  // Too many fields: only the reserved keys remain.
  const reserved = new Map([...entries].filter(([key]) => reservedKeys.has(key)).map(([key, text]) => [key, shorten(text, 1024)]));
  return reserved.set("tenon_fields_dropped", `${entries.size - reserved.size}`);
}

function shorten(text: string, budget: number): string {
  if (text.length <= budget) return text;
  const whole = text.startsWith('"') ? (JSON.parse(text) as string) : text;
  return JSON.stringify(`${whole.slice(0, budget)}… (${whole.length - budget} more)`);
}
