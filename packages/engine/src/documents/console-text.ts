// SPDX-License-Identifier: Apache-2.0
import { friendlyName, type Type, type Value } from "@tenon/cty";
import { goQuote, isMarkedPayload, isUnknownPayload, numberText, type NumberPayload, type Payload } from "@tenon/cty/unstable/payload";
import { EPHEMERAL, SENSITIVE } from "../marks/value-marks.ts";

/**
 * The text of a value as `tofu console` prints it. Sensitive and ephemeral values are hidden.
 *
 * @see OpenTofu internal/repl/format.go, FormatValue
 */
export function formatConsoleValue({ type, payload }: Value): string {
  return valueText(type, payload, 0);
}

function valueText(type: Type, payload: Payload, indentation: number): string {
  if (isMarkedPayload(payload)) {
    if (isUnknownPayload(payload.payload)) return "(known after apply)";
    if (payload.marks.has(SENSITIVE)) return "(sensitive value)";
    return payload.marks.has(EPHEMERAL) ? "(ephemeral value)" : valueText(type, payload.payload, indentation);
  }
  if (isUnknownPayload(payload)) return "(known after apply)";
  if (payload === null) return nullText(type);
  const inner = indentation + 2;
  const entry = (name: string, of: Type, value: Payload): string => `${stringText(name, inner)} = ${valueText(of, value, inner)}`;
  switch (type.kind) {
    case "string":
      return stringText(payload as string, indentation);
    case "number":
      return numberText(payload as NumberPayload);
    case "bool":
      return payload === true ? "true" : "false";
    case "list":
    case "set": {
      const elements = (payload as readonly Payload[]).map((element) => `${valueText(type.element, element, inner)},`);
      return `to${type.kind}(${enclosed("[", elements, "]", indentation)})`;
    }
    case "tuple": {
      const elements = (payload as readonly Payload[]).map((element, index) => `${valueText(type.elements[index]!, element, inner)},`);
      return enclosed("[", elements, "]", indentation);
    }
    case "map": {
      const entries = [...(payload as ReadonlyMap<string, Payload>)].map(([key, element]) => entry(key, type.element, element));
      return `tomap(${enclosed("{", entries, "}", indentation)})`;
    }
    case "object": {
      const entries = (payload as readonly Payload[]).map((attribute, index) => {
        const name = type.names[index]!;
        return entry(name, type.attributes[name]!, attribute);
      });
      return enclosed("{", entries, "}", indentation);
    }
    default:
      return friendlyName(type);
  }
}

function enclosed(open: string, lines: readonly string[], close: string, indentation: number): string {
  if (lines.length === 0) return open + close;
  const outer = " ".repeat(indentation);
  return `${open}\n${lines.map((line) => `${outer}  ${line}\n`).join("")}${outer}${close}`;
}

/** A text in quotes. A text of several lines is a heredoc, whose delimiter is not among the lines. */
function stringText(text: string, indentation: number): string {
  const lines = text.split("\n");
  if (lines.length === 1) return goQuote(text);
  let delimiter = "EOT";
  while (lines.some((line) => line.trim() === delimiter)) delimiter += "_";
  const start = `<<${indentation > 0 ? "-" : ""}${delimiter}`;
  return [start, ...[...lines, delimiter].map((line) => " ".repeat(indentation) + line)].join("\n");
}

function nullText(type: Type): string {
  switch (type.kind) {
    case "dynamic":
      return "null";
    case "string":
    case "number":
    case "bool":
      return `to${type.kind}(null)`;
    case "list":
    case "set":
    case "map":
      return `to${type.kind}(null) /* of ${friendlyName(type.element)} */`;
    default:
      return `null /* ${friendlyName(type)} */`;
  }
}

/**
 * The text of a type as the function `type` of `tofu console` prints it.
 *
 * @see OpenTofu internal/repl/session.go, typeString
 */
export function formatConsoleType(type: Type): string {
  return typeText(type, 0);
}

function typeText(type: Type, depth: number): string {
  switch (type.kind) {
    case "list":
    case "set":
    case "map": {
      const isWide = type.element.kind === "object" || type.element.kind === "tuple";
      if (!isWide) return `${type.kind}(${typeText(type.element, depth)})`;
      return enclosedTypes(`${type.kind}(`, [typeText(type.element, depth + 1)], ")", depth);
    }
    case "tuple": {
      const elements = type.elements.map((element) => typeText(element, depth + 1));
      return enclosedTypes("tuple([", elements, "])", depth);
    }
    case "object": {
      const attributes = type.names.map((name) => `${name}: ${typeText(type.attributes[name]!, depth + 1)}`);
      return enclosedTypes("object({", attributes, "})", depth);
    }
    default:
      return friendlyName(type);
  }
}

function enclosedTypes(open: string, parts: readonly string[], close: string, depth: number): string {
  if (parts.length === 0) return open + close;
  const outer = "    ".repeat(depth);
  return `${open}\n${parts.map((part) => `${outer}    ${part},\n`).join("")}${outer}${close}`;
}
