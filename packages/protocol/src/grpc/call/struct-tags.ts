// SPDX-License-Identifier: Apache-2.0
// protobuf-es converts each value of a `google.protobuf.Struct` to a message and back, which takes most of the time of a call. The carrier converts
// between its bytes and JSON, or maps, without messages.
//
//   Struct     1: map<string, Value> fields (entries: 1 key, 2 value)
//   ListValue  1: repeated Value values
//   Value      1: null, 2: double, 3: string, 4: bool, 5: Struct, 6: ListValue

/** Tags of the fields of a Struct and its values. */
export const structTags = {
  first: 0x0a,
  second: 0x12,
  null: 0x08,
  number: 0x11,
  string: 0x1a,
  bool: 0x20,
  struct: 0x2a,
  list: 0x32,
} as const;
