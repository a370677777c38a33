// SPDX-License-Identifier: Apache-2.0
import { CtyError, isPrimitiveType, isType, isValue, type Value } from "@tenon/cty";
import { applyPath } from "@tenon/cty/paths";
import { textsOf } from "@tenon/schema/observability";
import { isSelfDescribing, type FieldSecrets, type SecretsOf } from "./message-secrets.ts";
import { secretPaths } from "./secret-paths.ts";

/** Yields every secret text in a message. */
export function* secretTexts(message: object, secretsOf: SecretsOf): Generator<string, void> {
  const typeName = "typeName" in message && typeof message.typeName === "string" ? message.typeName : undefined;
  for (const [field, part] of Object.entries(message)) yield* textsOfPart(part, field, typeName, secretsOf);
}

function* textsOfPart(part: unknown, field: string, typeName: string | undefined, secretsOf: SecretsOf): Generator<string, void> {
  if (typeof part !== "object" || part === null || isType(part) || part instanceof Date || Symbol.asyncIterator in part) return;
  if (isValue(part)) yield* textsOfValue(part, secretsOf(field, typeName));
  else if (isIndexStep(part)) {
    if (!isPrimitiveType(part.key.type)) yield* textsOf(part.key.payload);
  } else if (part instanceof Uint8Array) {
    if (secretsOf(field, typeName).everything === true) yield* textsOfBytes(part);
  } else if (Array.isArray(part)) {
    for (const element of part as readonly unknown[]) yield* textsOfPart(element, field, typeName, secretsOf);
  } else if (field === "flatmap") {
    if (secretsOf(field, typeName).everything === true) yield* Object.values(part as Readonly<Record<string, string>>);
  } else yield* secretTexts(part, isSelfDescribing(field) ? secretsOf : (_, inner) => secretsOf(field, inner ?? typeName));
}

/** Whether the part is the step of a path to an element. In a set, the key is the whole element; such paths do not leave the process. */
function isIndexStep(part: object): part is { readonly key: Value } {
  return "key" in part && isValue(part.key);
}

function* textsOfValue(value: Value, { block, everything }: FieldSecrets): Generator<string, void> {
  if (everything === true) yield* textsOf(value.payload);
  else if (block !== undefined) {
    for (const path of secretPaths(block, value)) {
      try {
        yield* textsOf(applyPath(path, value).payload);
      } catch (error) {
        // The value does not conform to its schema.
        if (!(error instanceof CtyError)) throw error;
        yield* textsOf(value.payload);
      }
    }
  }
}

/** Yields the texts in bytes that are JSON, such as stored states. */
export function* textsOfBytes(bytes: Uint8Array): Generator<string, void> {
  let data: unknown;
  try {
    data = JSON.parse(Buffer.from(bytes).toString("utf8"));
  } catch {
    return;
  }
  yield* leavesOf(data);
}

function* leavesOf(data: unknown): Generator<string, void> {
  if (typeof data === "string" || typeof data === "number") yield String(data);
  else if (typeof data === "object" && data !== null) for (const part of Object.values(data)) yield* leavesOf(part);
}
