// SPDX-License-Identifier: Apache-2.0
// Runs the TypeScript compiler and its language server: which definitions compile, with which error texts, and which completions an
// editor offers.
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

/** Writes a tsconfig.json for these files, with the strictest compiler options that an author may use. */
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

/** Runs the compiler, and returns its messages by file. */
async function check(files: readonly string[], scratch: string): Promise<ReadonlyMap<string, string>> {
  const config = await configFor(files, scratch);
  const { stdout } = await run(compiler, ["-p", config, "--pretty", "false"]).catch((error: { readonly stdout: string }) => error);
  const messages = new Map<string, string>();
  let file = "";
  for (const line of stdout.split("\n")) {
    file = /^(\S.*?)\(\d+,\d+\): /.exec(line)?.[1] ?? file;
    if (line !== "") messages.set(basename(file), `${messages.get(basename(file)) ?? ""}${line}\n`);
  }
  return messages;
}

/** Time limit for a run of the compiler on a loaded machine, in milliseconds. */
const compilerTimeoutMs = 120_000;

const mistakes: readonly (readonly [source: string, sentence: string])[] = [
  ["attr.string({ required: true, computed: true });", 'Invalid<"a required attribute cannot be computed: use optional and computed">'],
  ['attr.string({ optional: true, descripton: "x" });', 'Invalid<"there is no option descripton">'],
  [
    'p.resource("r", { ...rest, schema: { id: attr.string() }, create: () => ({ id: "" }) });',
    'Invalid<"an attribute of a schema must set required, optional, computed or default">',
  ],
  [
    'p.resource("r", { ...rest, schema, create: () => ({ id: "1", titel: "t" }) });',
    "Property 'title' is missing in type '{ id: string; titel: string; }' but required in type '{ readonly id: string; readonly title: string; }'",
  ],
  ['p.resource("r", { ...rest, schema, create: ({ result }) => result({ id: "1", titel: "t" }) });', "Did you mean to write 'title'?"],
  [
    'p.resource("r", { ...rest, schema, create: ({ planned }) => ({ ...planned, id: `/${planned.id}` }) });',
    "Implicit conversion of a 'symbol' to a 'string' will fail at runtime",
  ],
  [
    'p.resource("r", { schema, create: () => ({ id: "", title: "" }), read: () => undefined, delete: () => {} });',
    "Property 'update' is missing",
  ],
];

/** Mistakes inside a schema, each with the only error that the compiler reports: at the option, and not also at its attribute or schema. */
const schemaMistakes: readonly (readonly [attribute: string, message: string])[] = [
  ['attr.number({ default: "5" })', "Type 'string' is not assignable to type 'number'."],
  ["attr.list(attr.string(), { default: [1] })", "Type 'number' is not assignable to type 'string'."],
  ["attr.object({ a: attr.string() }, { default: { a: 1 } })", "Type 'number' is not assignable to type 'string'."],
  ['nested.single({ a: attr.string({ default: "x" }) }, { default: { a: 1 } })', "Type 'number' is not assignable to type 'string'."],
  [
    "attr.string({ required: true, validators: [atLeast(1)] })",
    "Type 'Validator<number>' is not assignable to type 'StandardSchema<string> | Validator<string>'.",
  ],
  [
    "attr.string({ optional: true, planModifiers: [({ planned }) => (planned === null ? 1 : planned)] })",
    "Type 'string | 1 | Unknown' is not assignable to type 'string | Unknown | null'.",
  ],
];

describe("the compiler", () => {
  const scratch = mkdtempSync(join(tmpdir(), "sdk-types-"));
  afterAll(() => rmSync(scratch, { recursive: true }));
  let messages: ReadonlyMap<string, string>;

  beforeAll(async () => {
    const sources = mistakes.map(
      ([mistake]) => `import { attr, defineProvider, replaceInstead } from ${JSON.stringify(join(folder, "../src/index.ts"))};
        const p = defineProvider({ name: "p", version: "1.0.0" });
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
    const inSchema = schemaMistakes.map(
      ([attribute]) => `import { attr, defineProvider, nested, replaceInstead } from ${JSON.stringify(join(folder, "../src/index.ts"))};
        import { atLeast } from ${JSON.stringify(join(folder, "../src/validators/index.ts"))};
        void [nested, atLeast];
        defineProvider({ name: "p", version: "1.0.0" }).resource("r", {
          schema: { id: attr.string({ computed: true }), tested: ${attribute} },
          create: ({ planned }) => ({ ...planned, id: "1" }),
          read: ({ state }) => state,
          update: replaceInstead,
          delete: () => {},
        });`,
    );
    await Promise.all(inSchema.map(async (source, index) => writeFile(join(scratch, `schema-mistake-${index}.ts`), source)));
    written.push(...inSchema.map((_, index) => join(scratch, `schema-mistake-${index}.ts`)));
    const sound = ["views.ts", "mistakes.ts", "multi/provider.ts"].map((name) => join(folder, "types", name));
    messages = await check([...written, ...sound], scratch);
  });

  test("infers every view as written in views.ts, refuses every mistake, and accepts a provider in several files", ({ expect }) => {
    expect([...messages].filter(([file]) => !/^(mistake|schema-mistake)-/.test(file))).toEqual([]);
  });

  test.for(mistakes.map(([mistake, sentence], index) => ({ mistake, sentence, index })))(
    "explains the mistake $mistake",
    ({ sentence, index }, { expect }) => {
      expect(messages.get(`mistake-${index}.ts`)).toContain(sentence);
    },
  );

  test.for(schemaMistakes.map(([attribute, message], index) => ({ attribute, message, index })))(
    "reports only $message for $attribute in a schema",
    ({ message, index }, { expect }) => {
      const errors = [...(messages.get(`schema-mistake-${index}.ts`) ?? "").matchAll(/^\S.*?: error TS\d+: (.*)$/gm)].map(
        ([, text]) => text,
      );
      expect(errors).toEqual([message]);
    },
  );
});

/** Maximum number of type instantiations for one resource of 60 attributes, without its schema. Measured: 11,600. */
const wideBudget = 13_000;

describe("a resource of 60 attributes", () => {
  const scratch = mkdtempSync(join(tmpdir(), "sdk-wide-"));
  afterAll(() => rmSync(scratch, { recursive: true }));

  /** Declaration and value of an attribute of each kind; the schema has twelve of each. */
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
    const p = defineProvider({ name: "p", version: "1.0.0" });
    const schema = { ${attributes.map(({ name, declared }) => `${name}: ${declared}`).join(", ")} };
    p.resource("wide", { schema, delete: () => {}, ${handlers} });`;
  const sound = `create: () => ${answer()}, read: ({ state }) => state, update: ({ planned, state }) => ({ ...state, text0: planned.text0 })`;

  const invalid: readonly (readonly [what: string, handlers: string, sentence: string])[] = [
    ["an attribute missing from a result", sound.replace(answer(), answer("made7")), "Property 'made7' is missing in type"],
    ["a nested attribute missing from a result", sound.replace('[{ on: true, id: "i" }]', "[{ on: true }]"), "Property 'id' is missing"],
    ["a value of another type", sound.replace('text3: "t"', "text3: 3"), "Type 'number' is not assignable to type 'string'"],
    ["a wrong name in the planned state", sound.replace("planned.text0", "planned.txet0"), "Property 'txet0' does not exist"],
    [
      "null for an attribute that is not nullable",
      sound.replace('made0: "m"', "made0: null"),
      "Type 'null' is not assignable to type 'string'",
    ],
    [
      "a handler that returns nothing",
      sound.replace("({ ...state, text0: planned.text0 })", "void [state, planned]"),
      "Type 'undefined' is not assignable to type 'Awaitable<",
    ],
    ["a handler of another kind", sound.replace("read: ({ state }) => state", "read: 5"), "Type 'number' is not assignable to type"],
    [
      "an unknown value used as a known one",
      sound.replace("planned.text0", "planned.made0"),
      "Type 'Unknown' is not assignable to type 'string'",
    ],
    ["a wrong name in an import", `${sound}, importState: { attributes: ["tetx0"], separator: "/" }`, "is not assignable to type"],
  ];

  test("refuses wrong names, incomplete results and results of another type", { timeout: compilerTimeoutMs }, async ({ expect }) => {
    const files = await Promise.all(
      [sound, ...invalid.map(([, handlers]) => handlers)].map(async (handlers, index) => {
        await writeFile(join(scratch, `wide-${index}.ts`), source(handlers));
        return join(scratch, `wide-${index}.ts`);
      }),
    );
    const messages = await check(files, scratch);
    expect(messages.get("wide-0.ts")).toBeUndefined();
    for (const [index, [what, , sentence]] of invalid.entries())
      expect(messages.get(`wide-${index + 1}.ts`) ?? "", what).toContain(sentence);
  });

  test("stays within its budget of type instantiations", { timeout: compilerTimeoutMs }, async ({ expect }) => {
    const instantiations = async (text: string): Promise<number> => {
      await writeFile(join(scratch, "cost.ts"), text);
      const { stdout } = await run(compiler, ["-p", await configFor([join(scratch, "cost.ts")], scratch), "--extendedDiagnostics"]);
      return Number(/Instantiations:\s+(\d+)/.exec(stdout)?.[1]);
    };
    const bare = await instantiations(source(sound).replace(/p\.resource[^]*/, "void [p, schema];"));
    const cost = (await instantiations(source(sound))) - bare;
    expect(cost).toBeLessThan(wideBudget);
    // A budget far above the real cost would not detect an increase.
    expect(cost).toBeGreaterThan(wideBudget / 3);
  });
});

test("type instantiations grow linearly with the number of resources", { timeout: compilerTimeoutMs }, async ({ expect }) => {
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
    const head = `import { attr, defineProvider } from ${JSON.stringify(join(folder, "../src/index.ts"))}; const p = defineProvider({ name: "p", version: "1.0.0" });`;
    const instantiations = async (lines: readonly string[]): Promise<number> => {
      await writeFile(join(scratch, "large.ts"), [head, ...lines].join("\n"));
      const { stdout } = await run(compiler, ["-p", await configFor([join(scratch, "large.ts")], scratch), "--extendedDiagnostics"]);
      return Number(/Instantiations:\s+(\d+)/.exec(stdout)?.[1]);
    };
    const perAttribute = ((await instantiations(resources)) - (await instantiations(["void [attr, p];"]))) / (20 * 20);
    // Measured: 235.
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

  test("the missing names at every position of a definition", async ({ expect }) => {
    const offers = await server.completions(join(folder, "editor-buffer.ts"), source);
    expect(
      offers.map((names, index) => names.includes(wanted[index]!) || { at: index, wanted: wanted[index], offered: names.slice(0, 12) }),
    ).toEqual(wanted.map(() => true));
  });
});
