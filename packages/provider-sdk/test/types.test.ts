// SPDX-License-Identifier: Apache-2.0
// What compiles, what does not, and what the compiler and an editor say: asked of the compiler itself.
import { execFile } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, describe, test } from "vitest";
import { openLanguageServer, type LanguageServer } from "./language-server.ts";

const run = promisify(execFile);
const folder = import.meta.dirname;
const root = join(folder, "../../..");
const compiler = join(root, "node_modules/.bin/tsc");

/** A project of these files, with the strictest settings an author may have. */
async function configFor(files: readonly string[], scratch: string): Promise<string> {
  const config = join(scratch, "tsconfig.json");
  const compilerOptions = {
    noEmit: true,
    rewriteRelativeImportExtensions: false,
    allowImportingTsExtensions: true,
    typeRoots: [join(root, "node_modules/@types")],
  };
  await writeFile(join(scratch, "package.json"), '{ "type": "module" }');
  await writeFile(config, JSON.stringify({ extends: join(root, "tsconfig.base.json"), compilerOptions, files }));
  return config;
}

/** What the compiler says, by file. */
async function check(files: readonly string[], scratch: string): Promise<ReadonlyMap<string, string>> {
  const config = await configFor(files, scratch);
  const { stdout } = await run(compiler, ["-p", config, "--pretty", "false"]).catch((error: { readonly stdout: string }) => error);
  const said = new Map<string, string>();
  let file = "";
  for (const line of stdout.split("\n")) {
    file = /^(\S.*?)\(\d+,\d+\): /.exec(line)?.[1] ?? file;
    if (line !== "") said.set(basename(file), `${said.get(basename(file)) ?? ""}${line}\n`);
  }
  return said;
}

/** The compiler takes its time where others work, in milliseconds. */
const patience = 120_000;

const mistakes: readonly (readonly [source: string, sentence: string])[] = [
  ["attr.string({ required: true, computed: true });", 'Problem<"a required attribute is never computed: use optional and computed">'],
  ['attr.string({ optional: true, descripton: "x" });', 'Problem<"no option is called descripton">'],
  [
    'p.resource("r", { ...rest, schema: { id: attr.string() }, create: () => ({ id: "" }) });',
    'Problem<"an attribute of a schema says required, optional, computed or default">',
  ],
  [
    'p.resource("r", { ...rest, schema, create: () => ({ id: "1", titel: "t" }) });',
    "Property 'title' is missing in type '{ id: string; titel: string; }' but required in type '{ readonly id: string; readonly title: string; }'",
  ],
  ['p.resource("r", { ...rest, schema, create: ({ answer }) => answer({ id: "1", titel: "t" }) });', "Did you mean to write 'title'?"],
  [
    'p.resource("r", { ...rest, schema, create: ({ planned }) => ({ ...planned, id: `/${planned.id}` }) });',
    "Implicit conversion of a 'symbol' to a 'string' will fail at runtime",
  ],
  [
    'p.resource("r", { schema, create: () => ({ id: "", title: "" }), read: () => undefined, delete: () => {} });',
    "Property 'update' is missing",
  ],
];

describe("the compiler", () => {
  const scratch = mkdtempSync(join(tmpdir(), "sdk-types-"));
  afterAll(() => rmSync(scratch, { recursive: true }));
  let said: ReadonlyMap<string, string>;

  beforeAll(async () => {
    const sources = mistakes.map(
      ([mistake]) => `import { attr, defineProvider, replaceInstead } from ${JSON.stringify(join(folder, "../src/index.ts"))};
        const p = defineProvider({ name: "p", version: "1" });
        const schema = { id: attr.string({ computed: true }), title: attr.string({ required: true }) };
        const rest = { read: () => undefined, update: replaceInstead, delete: () => {} };
        void [p, schema, rest];
        ${mistake}`,
    );
    const written = await Promise.all(
      sources.map(async (source, index) => {
        await writeFile(join(scratch, `mistake-${index}.ts`), source);
        return join(scratch, `mistake-${index}.ts`);
      }),
    );
    const sound = ["views.ts", "mistakes.ts", "multi/provider.ts"].map((name) => join(folder, "types", name));
    said = await check([...written, ...sound], scratch);
  });

  test("finds every view as written down, refuses every mistake, and fits several files together", ({ expect }) => {
    expect([...said].filter(([file]) => !file.startsWith("mistake-"))).toEqual([]);
  });

  test.for(mistakes.map(([mistake, sentence], index) => ({ mistake, sentence, index })))(
    "says a sentence about $mistake",
    ({ sentence, index }, { expect }) => {
      expect(said.get(`mistake-${index}.ts`)).toContain(sentence);
    },
  );
});

/** Type instantiations that one resource of 60 attributes may cost, its schema aside; 11,600 when this was written. */
const wideBudget = 13_000;

describe("a resource of 60 attributes", () => {
  const scratch = mkdtempSync(join(tmpdir(), "sdk-wide-"));
  afterAll(() => rmSync(scratch, { recursive: true }));

  /** Twelve of each: the flags that make a difference, and three kinds of nesting. */
  const kinds: Readonly<Record<string, readonly [declared: string, value: string]>> = {
    text: ["attr.string({ required: true })", '"t"'],
    count: ["attr.number({ optional: true })", "1"],
    made: ["attr.string({ computed: true })", '"m"'],
    chosen: ["attr.list(attr.string(), { optional: true, computed: true })", '["c"]'],
    part: [
      "nested.list({ on: attr.bool({ required: true }), id: attr.string({ computed: true }) }, { optional: true })",
      '[{ on: true, id: "i" }]',
    ],
  };
  const attributes = Object.entries(kinds).flatMap(([kind, [declared, value]]) =>
    Array.from({ length: 12 }, (_, index) => ({ name: `${kind}${index}`, declared, value })),
  );
  const answer = (leftOut?: string): string =>
    `({ ${attributes.flatMap(({ name, value }) => (name === leftOut ? [] : [`${name}: ${value}`])).join(", ")} })`;
  const source = (
    handlers: string,
  ): string => `import { attr, defineProvider, nested } from ${JSON.stringify(join(folder, "../src/index.ts"))};
    const p = defineProvider({ name: "p", version: "1" });
    const schema = { ${attributes.map(({ name, declared }) => `${name}: ${declared}`).join(", ")} };
    p.resource("wide", { schema, delete: () => {}, ${handlers} });`;
  const sound = `create: () => ${answer()}, read: ({ state }) => state, update: ({ planned, state }) => ({ ...state, text0: planned.text0 })`;

  const mistaken: readonly (readonly [what: string, handlers: string, sentence: string])[] = [
    ["an attribute missing from an answer", sound.replace(answer(), answer("made7")), "Property 'made7' is missing in type"],
    ["a nested attribute missing from an answer", sound.replace('[{ on: true, id: "i" }]', "[{ on: true }]"), "Property 'id' is missing"],
    ["a value of another type", sound.replace('text3: "t"', "text3: 3"), "Type 'number' is not assignable to type 'string'"],
    ["a wrong name in what is planned", sound.replace("planned.text0", "planned.txet0"), "Property 'txet0' does not exist"],
    ["null where nothing allows it", sound.replace('made0: "m"', "made0: null"), "Type 'null' is not assignable to type 'string'"],
    [
      "a handler that answers nothing",
      sound.replace("({ ...state, text0: planned.text0 })", "void [state, planned]"),
      "Type 'undefined' is not assignable to type 'Awaitable<",
    ],
    ["a handler of another kind", sound.replace("read: ({ state }) => state", "read: 5"), "Type 'number' is not assignable to type"],
    [
      "an unknown value taken for a known one",
      sound.replace("planned.text0", "planned.made0"),
      "Type 'Unknown' is not assignable to type 'string'",
    ],
    ["a wrong name in an import", `${sound}, importState: { attributes: ["tetx0"], separator: "/" }`, "is not assignable to type"],
  ];

  test("refuses wrong names, incomplete answers and wrong results of handlers", { timeout: patience }, async ({ expect }) => {
    const files = await Promise.all(
      [sound, ...mistaken.map(([, handlers]) => handlers)].map(async (handlers, index) => {
        await writeFile(join(scratch, `wide-${index}.ts`), source(handlers));
        return join(scratch, `wide-${index}.ts`);
      }),
    );
    const said = await check(files, scratch);
    expect(said.get("wide-0.ts")).toBeUndefined();
    for (const [index, [what, , sentence]] of mistaken.entries()) expect(said.get(`wide-${index + 1}.ts`) ?? "", what).toContain(sentence);
  });

  test("costs the compiler no more than is written down", { timeout: patience }, async ({ expect }) => {
    const instantiations = async (text: string): Promise<number> => {
      await writeFile(join(scratch, "cost.ts"), text);
      const { stdout } = await run(compiler, ["-p", await configFor([join(scratch, "cost.ts")], scratch), "--extendedDiagnostics"]);
      return Number(/Instantiations:\s+(\d+)/.exec(stdout)?.[1]);
    };
    const bare = await instantiations(source(sound).replace(/p\.resource[^]*/, "void [p, schema];"));
    const cost = (await instantiations(source(sound))) - bare;
    expect(cost).toBeLessThan(wideBudget);
    // A budget that is far above what is needed holds nothing.
    expect(cost).toBeGreaterThan(wideBudget / 3);
  });
});

test("a large provider costs the compiler in proportion", { timeout: patience }, async ({ expect }) => {
  const scratch = mkdtempSync(join(tmpdir(), "sdk-budget-"));
  try {
    const flags = ["required: true", "optional: true", "computed: true"];
    const names = Array.from({ length: 20 }, (_, index) => `a${index}`);
    const schema = names.map((name, index) => `${name}: attr.string({ ${flags[index % 3]} })`).join();
    const answer = `({ ${names.map((name) => `${name}: ""`).join()} })`;
    const resources = Array.from(
      { length: 20 },
      (_, index) =>
        `p.resource("r${index}", { schema: { ${schema} }, create: () => ${answer}, read: () => ${answer}, update: () => ${answer}, delete: () => {} });`,
    );
    const head = `import { attr, defineProvider } from ${JSON.stringify(join(folder, "../src/index.ts"))}; const p = defineProvider({ name: "p", version: "1" });`;
    const instantiations = async (lines: readonly string[]): Promise<number> => {
      await writeFile(join(scratch, "large.ts"), [head, ...lines].join("\n"));
      const { stdout } = await run(compiler, ["-p", await configFor([join(scratch, "large.ts")], scratch), "--extendedDiagnostics"]);
      return Number(/Instantiations:\s+(\d+)/.exec(stdout)?.[1]);
    };
    const perAttribute = ((await instantiations(resources)) - (await instantiations(["void [attr, p];"]))) / (20 * 20);
    // 235 when this was written.
    expect(perAttribute).toBeLessThan(260);
    expect(perAttribute).toBeGreaterThan(50);
  } finally {
    rmSync(scratch, { recursive: true });
  }
});

describe("an editor offers", () => {
  let server: LanguageServer;
  beforeAll(async () => {
    server = await openLanguageServer(compiler, folder);
  });
  afterAll(() => server.close());

  const source = `import { attr, importById } from "../src/index.ts";
import { notebook } from "./types/multi/notebook.ts";
notebook.resource("note", {
  schema: { id: attr.string({ computed: true }), title: attr.string({ required: true, ‸ }), size: attr.number({ ‸ }) },
  create: ({ planned, client }) => { planned.‸; client.‸; return { ‸ }; },
  read: ({ state }) => { state.‸ },
  ‸
  delete: () => {},
  plan: ({ set, requireReplace }) => { set({ ‸ }); requireReplace("‸"); },
  importState: importById("‸"),
});
`;
  const wanted = ["validators?", "required?", "title", "insert", "title", "size", "validate?", "title?", "size", "title"];

  test("what is missing, at every place an author writes", async ({ expect }) => {
    const offers = await server.completions(join(folder, "editor-buffer.ts"), source);
    expect(
      offers.map((names, index) => names.includes(wanted[index]!) || { at: index, wanted: wanted[index], offered: names.slice(0, 12) }),
    ).toEqual(wanted.map(() => true));
  });
});
