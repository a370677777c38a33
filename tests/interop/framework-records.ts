// SPDX-License-Identifier: Apache-2.0
// Records of `tests/peers/framework-provider`, which stores each one as a JSON file in the folder of its configuration.
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";

/** A configuration with all kinds of attributes and blocks, except for sensitive ones. */
export const fullRecord = {
  name: "first",
  tags: ["a", "b"],
  labels: ["y", "x"],
  notes: { k: "v" },
  ratio: 0.25,
  origin: { host: "h", port: 8080 },
  anything: { deep: [1, "two", true] },
  caseless: "ABC",
  single: { key: "s" },
  items: [{ key: "i", value: "1" }, { key: "j" }],
  entries: { one: { key: "e" } },
  members: [{ key: "m" }],
  rule: [
    { port: 80, match: [{ pattern: "*" }, { pattern: "?" }] },
    { port: 443, comment: "tls" },
  ],
  access: [{ role: "admin", write: true }, { role: "guest" }],
  limits: { cpu: 0.5 },
} as const;

/** Identifier of the record that {@link addForeignRecord} adds. */
export const foreignRecordId = "plain-0";

/** Adds a record that no state knows, to be imported. */
export function addForeignRecord(directory: string): void {
  mkdirSync(directory, { recursive: true });
  const state = {
    id: foreignRecordId,
    name: "found",
    kind: "plain",
    flag: true,
    size: 2,
    revision: 7,
    tags: ["old"],
    rule: [],
    access: [],
  };
  writeFileSync(join(directory, `${foreignRecordId}.json`), JSON.stringify({ type: "framework_record", state }));
}

/** Changes the only record outside of the provider; removes it if the new text is undefined. */
export function changeOnlyRecord(directory: string, change: (text: string) => string | undefined): void {
  const [name = ""] = readdirSync(directory);
  const file = join(directory, name);
  const changed = change(readFileSync(file, "utf8"));
  if (changed === undefined) rmSync(file);
  else writeFileSync(file, changed);
}
