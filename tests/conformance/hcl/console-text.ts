// SPDX-License-Identifier: Apache-2.0
/* Prints values and types as `tofu console` does. */
import { friendlyName, type Type, type Value } from "@tenon/cty";
import { isMarkedPayload, isUnknownPayload, numberText, type NumberPayload, type Payload } from "@tenon/cty/unstable/payload";

/** Text of a value. @see go opentofu internal/repl/format.go, FormatValue */
export function consoleValue({ type, payload }: Value): string {
  return written(type, payload, 0);
}

function written(type: Type, payload: Payload, indentation: number): string {
  if (isMarkedPayload(payload)) return isUnknownPayload(payload.payload) ? "(known after apply)" : "(sensitive value)";
  if (isUnknownPayload(payload)) return "(known after apply)";
  if (payload === null) return nullOfType(type);
  const inner = indentation + 2;
  const entry = (name: string, of: Type, value: Payload): string => `${quoted(name, inner)} = ${written(of, value, inner)}`;
  switch (type.kind) {
    case "string":
      return quoted(payload as string, indentation);
    case "number":
      return numberText(payload as NumberPayload);
    case "bool":
      return String(payload);
    case "list":
    case "set": {
      const elements = (payload as readonly Payload[]).map((element) => `${written(type.element, element, inner)},`);
      return `to${type.kind}(${enclosed("[", elements, "]", indentation)})`;
    }
    case "tuple":
      return enclosed(
        "[",
        (payload as readonly Payload[]).map((element, index) => `${written(type.elements[index]!, element, inner)},`),
        "]",
        indentation,
      );
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
      throw new TypeError(`a value of type ${type.kind} cannot be printed`);
  }
}

function enclosed(open: string, lines: readonly string[], close: string, indentation: number): string {
  if (lines.length === 0) return open + close;
  const outer = " ".repeat(indentation);
  return `${open}\n${lines.map((line) => `${outer}  ${line}\n`).join("")}${outer}${close}`;
}

function quoted(text: string, indentation: number): string {
  const lines = text.split("\n");
  if (lines.length === 1) return JSON.stringify(text).replace(/\p{Cf}/gu, (character) => `\\u${character.charCodeAt(0).toString(16)}`);
  let marker = "EOT";
  while (lines.some((line) => line.trim() === marker)) marker += "_";
  return [`<<${indentation > 0 ? "-" : ""}${marker}`, ...[...lines, marker].map((line) => " ".repeat(indentation) + line)].join("\n");
}

function nullOfType(type: Type): string {
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

/** Text of a type. @see go opentofu internal/repl/session.go, typeString */
export function consoleType(type: Type, depth = 0): string {
  const enclosedType = (open: string, parts: readonly string[], close: string): string =>
    parts.length === 0
      ? open + close
      : `${open}\n${parts.map((part) => `${"    ".repeat(depth + 1)}${part},\n`).join("")}${"    ".repeat(depth)}${close}`;
  switch (type.kind) {
    case "list":
    case "set":
    case "map": {
      const isWide = type.element.kind === "object" || type.element.kind === "tuple";
      return isWide
        ? enclosedType(`${type.kind}(`, [consoleType(type.element, depth + 1)], ")")
        : `${type.kind}(${consoleType(type.element, depth)})`;
    }
    case "tuple":
      return enclosedType(
        "tuple([",
        type.elements.map((element) => consoleType(element, depth + 1)),
        "])",
      );
    case "object":
      return enclosedType(
        "object({",
        type.names.map((name) => `${name}: ${consoleType(type.attributes[name]!, depth + 1)}`),
        "})",
      );
    default:
      return friendlyName(type);
  }
}
