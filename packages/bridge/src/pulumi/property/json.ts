// SPDX-License-Identifier: Apache-2.0

/** A JSON value, as a `google.protobuf.Value` arrives. */
export type Json = null | boolean | number | string | Json[] | JsonObject;

/** A JSON object, as a `google.protobuf.Struct` arrives. */
export interface JsonObject {
  [key: string]: Json;
}
