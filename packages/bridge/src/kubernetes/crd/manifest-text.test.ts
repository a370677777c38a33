// SPDX-License-Identifier: Apache-2.0
import { test } from "vitest";
import { parseAllDocuments } from "yaml";
import { manifestText } from "./manifest-text.ts";

test("manifestText quotes strings that YAML 1.1 would read as another type", ({ expect }) => {
  const texts = ["yes", "off", "1_000", "0x1f", "null", "~", "1:30", "a: b", "#x", "two\nlines", " x ", "é", "2001-01-01", ""];
  const manifest = { kind: "Thing", texts, number: 1.5, none: null };
  const text = manifestText([manifest, { kind: "Other" }]);
  const read = parseAllDocuments(text, { version: "1.1" }).map((document) => document.toJS() as unknown);
  expect(read).toEqual([manifest, { kind: "Other" }]);
});
