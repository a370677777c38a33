// SPDX-License-Identifier: Apache-2.0
import type { DescField, JsonObject, JsonValue } from "@bufbuild/protobuf";
import type { BinaryWriter } from "@bufbuild/protobuf/wire";
import { structTags as tags } from "./struct-tags.ts";

/** Whether a field is a single Struct, which is JSON in a message. */
export function isStructField(field: DescField): boolean {
  return field.fieldKind === "message" && field.oneof === undefined && field.message.typeName === "google.protobuf.Struct";
}

/** Writes the fields of a Struct. Members that are undefined are left out. @throws TypeError for a value that JSON does not have. */
export function writeStruct(to: BinaryWriter, json: JsonObject): void {
  for (const key of Object.keys(json)) {
    const value = json[key];
    if (value === undefined) continue;
    to.uint32(tags.first).fork().uint32(tags.first).string(key).uint32(tags.second).fork();
    writeValue(to, value);
    to.join().join();
  }
}

function writeValue(to: BinaryWriter, value: JsonValue): void {
  switch (typeof value) {
    case "string":
      to.uint32(tags.string).string(value);
      return;
    case "number":
      to.uint32(tags.number).double(value);
      return;
    case "boolean":
      to.uint32(tags.bool).bool(value);
      return;
    case "object":
      if (value === null) to.uint32(tags.null).uint32(0);
      else if (Array.isArray(value)) writeList(to, value);
      else {
        to.uint32(tags.struct).fork();
        writeStruct(to, value);
        to.join();
      }
      return;
    default:
      throw new TypeError(`a google.protobuf.Struct cannot have a ${typeof value}`);
  }
}

function writeList(to: BinaryWriter, values: readonly JsonValue[]): void {
  to.uint32(tags.list).fork();
  for (const value of values) {
    to.uint32(tags.first).fork();
    writeValue(to, value);
    to.join();
  }
  to.join();
}
