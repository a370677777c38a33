// SPDX-License-Identifier: Apache-2.0
import { normalizeString } from "../../text/normalize.ts";
import { goQuote } from "../../text/go-quote.ts";
import { dynamic, list, objectFromMap, string } from "../../type/type.ts";
import type { ListType, ObjectType, Type } from "../../model/type.ts";
import { listOf, objectOf } from "../../construction/value-init.ts";
import { isKnown } from "../../equality/value-ops.ts";
import { callError } from "../error.ts";
import { defineFunction, type CtyFunction } from "../function.ts";
import { CsvError, CsvReader } from "./csv-reader.ts";
import { stringOf, stringValue } from "./argument/native.ts";

/**
 * Decodes comma-separated values to a list of objects. The first line has the names of the attributes.
 *
 * @example
 * csvDecodeFunc.call([of(string, "a,b\n1,\"x, y\"\n")])
 * // => cty.ListVal([]cty.Value{cty.ObjectVal(map[string]cty.Value{"a":cty.StringVal("1"), "b":cty.StringVal("x, y")})})
 *
 * @see go-cty stdlib.CSVDecodeFunc
 */
export const csvDecodeFunc: CtyFunction = /* @__PURE__ */ defineFunction({
  description: "Decodes comma-separated values to a list of objects. The first line has the attribute names.",
  params: [{ name: "str", type: string }],
  type: ([str]) => (isKnown(str) ? tableType(stringOf(str)) : dynamic),
  refineResult: { notNull: true },
  impl: ([str], type) => {
    const row = (type as ListType<ObjectType>).element;
    const reader = new CsvReader(stringOf(str), row.names.length);
    const headers = readHeaders(reader);
    const rows: ReturnType<typeof objectOf>[] = [];
    for (let record = readRow(reader); record !== undefined; record = readRow(reader)) {
      rows.push(objectOf(new Map(record.map((field, index) => [headers[index]!, stringValue(field)]))));
    }
    return listOf(rows, row);
  },
});

function tableType(text: string): Type {
  const headers = readRow(new CsvReader(text));
  if (headers === undefined) throw callError("missing header line");
  const seen = new Set<string>();
  for (const name of headers) {
    if (seen.has(name)) throw callError(`duplicate column name ${goQuote(name)}`);
    seen.add(name);
  }
  return list(objectFromMap(new Map(headers.map((name) => [normalizeString(name), string]))));
}

function readRow(reader: CsvReader): string[] | undefined {
  try {
    return reader.read();
  } catch (error) {
    throw error instanceof CsvError ? callError(`CSV parse error on line ${error.line}: ${error.message}`) : error;
  }
}

/** Reads the first line a second time. {@link tableType} has checked it, but two different names can have the same normal form. */
function readHeaders(reader: CsvReader): string[] {
  try {
    return (reader.read() ?? []).map(normalizeString);
  } catch (error) {
    throw error instanceof CsvError ? callError(`record on line ${error.line}: ${error.message}`) : error;
  }
}
