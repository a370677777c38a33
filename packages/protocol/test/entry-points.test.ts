// SPDX-License-Identifier: Apache-2.0
import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "vitest";

const folder = join(import.meta.dirname, "..");
const { exports, publishConfig } = JSON.parse(readFileSync(join(folder, "package.json"), "utf8")) as {
  exports: Record<string, string>;
  publishConfig: { exports: Record<string, { types: string; default: string }> };
};

const seen = new Map<string, readonly string[]>();

/** Names of the packages, and of the files of this package, that an entry point loads. */
function loadedBy(entry: string): readonly string[] {
  const known = seen.get(entry) ?? load(entry);
  seen.set(entry, known);
  return known;
}

function load(entry: string): string[] {
  const program = `
    import { registerHooks } from "node:module";
    const loaded = [];
    registerHooks({ load: (url, context, next) => { loaded.push(url); return next(url, context); } });
    await import(${JSON.stringify(join(folder, entry))});
    console.log(JSON.stringify(loaded));
  `;
  const urls = JSON.parse(execFileSync(process.execPath, ["--input-type=module", "-e", program], { encoding: "utf8" })) as string[];
  return urls.map((url) => /node_modules\/(@[^/]+\/[^/]+)\/dist\//.exec(url)?.[1] ?? /\/src\/(.*)$/.exec(url)?.[1] ?? url);
}

test.for(Object.entries(exports))("the entry point %s can be imported alone", ([, source], { expect }) => {
  expect(loadedBy(source)).toContain(source.replace("./src/", ""));
});

test("the entry points for the handshake load no package", ({ expect }) => {
  for (const entry of ["./handshake", "./certificate", "./log-line", "./reattach", "./error"]) {
    expect(loadedBy(exports[entry]!).filter((name) => name.startsWith("@"))).toEqual([]);
  }
});

test("no entry point loads both protocol versions, and ./carrier loads neither", ({ expect }) => {
  for (const [entry, source] of Object.entries(exports)) {
    const versions = loadedBy(source).filter((name) => /tfplugin\d_pb/.test(name));
    expect(versions, entry).toEqual(/^\.\/(lean\/)?tfplugin\d$/.test(entry) ? [`gen/${entry.slice(2)}_pb.ts`] : []);
  }
  expect(loadedBy(exports["./carrier"]!).filter((name) => name.startsWith("@"))).toEqual([]);
});

test("Tenon's carrier loads neither connect-node nor Node's HTTP modules", ({ expect }) => {
  for (const entry of ["./carrier/client", "./carrier/server"]) {
    const loaded = loadedBy(exports[entry]!);
    expect(loaded).toContain("node:tls");
    expect(loaded.filter((name) => /connect-node|^node:http|zlib/.test(name))).toEqual([]);
    expect(new Set(loaded.filter((name) => name.startsWith("@")))).toEqual(new Set(["@bufbuild/protobuf", "@connectrpc/connect"]));
  }
  // The check detects modules of Node.
  expect(loadedBy(exports["./carrier/connect-node-server"]!)).toContain("node:http2");
});

test("the published entry points match those in the repository", ({ expect }) => {
  const published = Object.fromEntries(
    Object.entries(exports).map(([entry, source]) => {
      const built = source.replace("./src/", "./dist/").replace(/\.ts$/, "");
      return [entry, { types: `${built}.d.ts`, default: `${built}.js` }];
    }),
  );
  expect(publishConfig.exports).toEqual(published);
});
