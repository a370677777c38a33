// SPDX-License-Identifier: Apache-2.0
// Checks the names of files in documents: the targets of links, and paths from the root of the repository in code.
import { existsSync, globSync } from "node:fs";
import { dirname, join } from "node:path";
import { test } from "vitest";
import { readDocument, root } from "./snippets.ts";

const documents = globSync(
  ["*.md", "docs/**/*.md", "apps/examples/**/*.md", "tests/**/*.md", "benchmarks/*.md", "packages/*/*.md", "packages/*/docs/**/*.md"],
  { cwd: root, exclude: (path) => /node_modules|\.build|CHANGELOG/.test(path) },
).toSorted();

test.for(documents)("%s names only files that exist", (document, { expect }) => {
  const text = readDocument(document).replaceAll(/^```[\s\S]*?^```$/gm, "");
  const links = [...text.matchAll(/\]\(([^)#\s]+)(?:#[^)]*)?\)/g)]
    .map(([, target = ""]) => target)
    .filter((target) => !/^[a-z]+:/.test(target));
  const paths = [...text.matchAll(/`((?:packages|apps|tests|benchmarks|scripts|docs)\/[\w./-]+)`/g)].map(([, path = ""]) => path);
  const missing = [
    ...links.filter((target) => !existsSync(join(root, dirname(document), target))),
    ...paths.filter((path) => !existsSync(join(root, path))),
  ];
  expect(missing).toEqual([]);
});
