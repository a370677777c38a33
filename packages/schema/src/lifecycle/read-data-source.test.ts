// SPDX-License-Identifier: Apache-2.0
import { nullOf, object, of, string, toJs, unknown, type Type, type Value } from "@tenon/cty";
import { test } from "vitest";
import { createNotebook, replacing, wordSchema } from "../../test/notebook-provider.ts";
import { errorDiagnostic } from "../diagnostic.ts";
import { impliedType } from "../model/implied-type.ts";
import type { Provider } from "../provider/provider.ts";
import { readDataSource, type ReadDataSourceOutcome } from "./read-data-source.ts";
import { dataSourceType } from "./resource-type.ts";

const word = (data: object): Value => of<Type>(impliedType(wordSchema.block), data);
const config = word({ of: "the day", word: null });

async function read(parts: Partial<Provider> = {}): Promise<ReadDataSourceOutcome> {
  const type = await dataSourceType(replacing(createNotebook().provider, parts), "word");
  return await readDataSource(type, config, { address: "data.word.example" });
}

test("reads a value", async ({ expect }) => {
  const { value, diagnostics } = await read();
  expect(diagnostics).toEqual([]);
  expect(toJs(value!)).toEqual({ of: "the day", word: "found" });
});

test("does not read a data source whose configuration is invalid", async ({ expect }) => {
  const outcome = await read({
    validateDataResourceConfig: () => Promise.resolve({ diagnostics: [errorDiagnostic("No", "")] }),
    readDataSource: () => Promise.reject(new Error("unexpected call")),
  });
  expect(outcome).toEqual({ diagnostics: [errorDiagnostic("No", "")] });
});

test.for<readonly [string, string, Value]>([
  ["of another type", "Provider produced invalid object", of(object({ x: string }), { x: "" })],
  ["null", "Provider produced null object", nullOf(impliedType(wordSchema.block))],
  ["not wholly known", "Provider produced invalid object", word({ of: "the day", word: unknown(string) })],
])("reports a value that is %s as a fault of the provider", async ([, summary, state], { expect }) => {
  const { value, diagnostics } = await read({ readDataSource: () => Promise.resolve({ state, diagnostics: [] }) });
  expect(value).toBeUndefined();
  expect(diagnostics[0]?.summary).toBe(summary);
});
