// SPDX-License-Identifier: Apache-2.0
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, test } from "vitest";
import { importsOf, modulesLoadedBy, packageFolders, packageJson, root, sourcesBelow } from "./sources.ts";

/** Packages that each package may import. `turbo boundaries` checks the same table for declared dependencies. */
const mayImport: Readonly<Record<string, readonly string[]>> = {
  cty: [],
  protocol: [],
  schema: ["cty", "protocol"],
  "provider-sdk": ["cty", "protocol", "schema"],
  hcl: ["cty"],
  "plugin-host": ["cty", "protocol", "schema", "hcl"],
  engine: ["cty", "protocol", "schema", "hcl", "plugin-host"],
  testing: ["cty", "protocol", "schema", "hcl", "plugin-host", "engine"],
  bridge: ["cty", "protocol", "schema", "plugin-host", "provider-sdk"],
};

describe("packages", () => {
  test.for(packageFolders())("%s imports only packages below it", (folder, { expect }) => {
    const allowed = mayImport[folder];
    expect(allowed, `packages/${folder} has no row in this table`).toBeDefined();
    const strangers = sourcesBelow(`packages/${folder}/src`).flatMap((source) =>
      importsOf(source)
        .map((specifier) => /^@tenon\/([^/]+)/.exec(specifier)?.[1])
        .filter((name) => name !== undefined && name !== folder && !allowed?.includes(name))
        .map((name) => `${source} imports @tenon/${name}`),
    );
    expect(strangers).toEqual([]);
  });

  test("only protocol and schema/wire import the RPC library", ({ expect }) => {
    const strangers = [...packageFolders().map((folder) => `packages/${folder}/src`), "apps/examples"]
      .flatMap(sourcesBelow)
      .filter((source) => !source.startsWith("packages/protocol/") && !source.startsWith("packages/schema/src/wire/"))
      .filter((source) => importsOf(source).some((specifier) => specifier.startsWith("@connectrpc/")));
    expect(strangers).toEqual([]);
  });

  test("bridge loads the SDK's packager, an optional peer, only when it packages", ({ expect }) => {
    const users = sourcesBelow("packages/bridge/src").filter((source) =>
      importsOf(source).some((specifier) => specifier.startsWith("@tenon/provider-sdk")),
    );
    expect(users).toEqual([]);
  });

  test("schema outside of its wire folder does not import the protocol", ({ expect }) => {
    const strangers = sourcesBelow("packages/schema/src")
      .filter((source) => !source.startsWith("packages/schema/src/wire/"))
      .filter((source) =>
        importsOf(source).some((specifier) => specifier.startsWith("@tenon/protocol") || specifier.startsWith("@bufbuild/")),
      );
    expect(strangers).toEqual([]);
  });

  test.for(["index.ts", "change/index.ts", "difference/index.ts", "lifecycle/index.ts", "observability/index.ts"])(
    "loading schema's %s loads no protobuf",
    (entry, { expect }) => {
      const loaded = [...modulesLoadedBy(`packages/schema/src/${entry}`)];
      expect(loaded.filter((module) => module.startsWith("@bufbuild/") || module.startsWith("@connectrpc/"))).toEqual([]);
    },
  );

  test.for([
    ["packages/schema/src/wire/v5/index.ts", "tfplugin6_pb"],
    ["packages/schema/src/wire/v6/index.ts", "tfplugin5_pb"],
  ] as const)("%s does not load %s", ([entry, other], { expect }) => {
    expect([...modulesLoadedBy(entry)].filter((module) => module.includes(other))).toEqual([]);
  });

  test("loading testing loads no other package before a case runs", ({ expect }) => {
    const loaded = [...modulesLoadedBy("packages/testing/src/index.ts")];
    expect(loaded.filter((module) => !module.startsWith("packages/testing/") && !module.startsWith("node:"))).toEqual([]);
  });

  test.for(packageFolders())("%s contains the repository's LICENSE", (folder, { expect }) => {
    const license = (path: string): string => readFileSync(join(root, path, "LICENSE"), "utf8");
    expect(license(`packages/${folder}`)).toBe(license(""));
  });

  test.for(packageFolders())("%s publishes each of its entry points", (folder, { expect }) => {
    const { exports, publishConfig } = packageJson(folder);
    const published = Object.fromEntries(
      Object.entries(exports).map(([entry, source]) => {
        const built = source.replace("./src/", "./dist/").replace(/\.ts$/, "");
        return [entry, { types: `${built}.d.ts`, default: `${built}.js` }];
      }),
    );
    expect(publishConfig.exports).toEqual(published);
    for (const source of Object.values(exports)) expect(existsSync(join(root, "packages", folder, source)), source).toBe(true);
  });
});
