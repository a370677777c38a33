// SPDX-License-Identifier: Apache-2.0
import { isUtf8 } from "node:buffer";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { basename, join } from "node:path";
import { fileURLToPath } from "node:url";
import { TestingError } from "../error.ts";

/** A configuration as an object, in the form of a `.tf.json` file. */
export type ConfigurationObject = Readonly<Record<string, unknown>>;

/** Files on disk, or in memory. A relative path starts at the current folder of the process; a `URL` can start at the test file. */
export type ConfigurationLocation =
  /** All files of a folder and of the folders in it. */
  | { readonly directory: string | URL }
  /** One file. */
  | { readonly file: string | URL }
  /** Files by path below the root module: text, or an object for a `.tf.json` file. */
  | { readonly files: Readonly<Record<string, string | ConfigurationObject>> };

/** The configuration of a step: the text of a `.tf` file, an object, or where it is. */
export type ConfigurationSource = string | ConfigurationObject | ConfigurationLocation;

/** The files of a configuration, by path below the root module: texts, and the bytes of files that are not UTF-8. */
export type ConfigurationFiles = ReadonlyMap<string, string | Uint8Array>;

/** What the CLIs write into a folder is not part of a configuration. */
const ignored = /^(\.terraform|\.terraform\.lock\.hcl|terraform\.tfstate.*)$/;

/** Reads the files of a configuration. @throws TestingError `CASE_INVALID` if a file or a folder does not exist. */
export function readConfiguration(source: ConfigurationSource): ConfigurationFiles {
  if (typeof source === "string") return new Map([["main.tf", source]]);
  if (isLocation(source, "directory")) return readFolder(pathOf(source.directory));
  if (isLocation(source, "file")) {
    const path = pathOf(source.file);
    return new Map([[basename(path), readContent(path)]]);
  }
  if (isLocation(source, "files")) {
    return new Map(
      Object.entries(source.files).map(([path, content]) => [path, typeof content === "string" ? content : jsonText(content)]),
    );
  }
  return new Map([["main.tf.json", jsonText(source)]]);
}

function isLocation<K extends string>(source: object, key: K): source is Extract<ConfigurationLocation, { readonly [name in K]: unknown }> {
  return key in source && Object.keys(source).length === 1;
}

function pathOf(path: string | URL): string {
  return typeof path === "string" ? path : fileURLToPath(path);
}

function readFolder(folder: string): ConfigurationFiles {
  if (!existsSync(folder)) throw new TestingError("CASE_INVALID", `the folder of the configuration does not exist: ${folder}`);
  const files = new Map<string, string | Uint8Array>();
  const visit = (path: string): void => {
    for (const entry of readdirSync(join(folder, path), { withFileTypes: true })) {
      if (ignored.test(entry.name)) continue;
      const below = path === "" ? entry.name : `${path}/${entry.name}`;
      if (entry.isDirectory()) visit(below);
      else files.set(below, readContent(join(folder, below)));
    }
  };
  visit("");
  return files;
}

function readContent(path: string): string | Uint8Array {
  let bytes: Buffer;
  try {
    bytes = readFileSync(path);
  } catch (cause) {
    throw new TestingError("CASE_INVALID", `the configuration cannot be read: ${(cause as Error).message}`, { cause });
  }
  return isUtf8(bytes) ? bytes.toString("utf8") : bytes;
}

function jsonText(content: ConfigurationObject): string {
  return `${JSON.stringify(content, undefined, 2)}\n`;
}
