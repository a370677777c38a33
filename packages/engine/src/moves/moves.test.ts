// SPDX-License-Identifier: Apache-2.0
import { of, string } from "@tenon/cty";
import { describe, test } from "vitest";
import { formatResourceInstance, parseProviderConfig, parseResourceInstance, parseTarget, requireAddress } from "../address/index.ts";
import { loadConfiguration, objectFiles, type Configuration } from "../configuration/index.ts";
import { DeclaredInstances } from "../expansion/declared-instances.ts";
import { createStateObject, StateDraft, type State } from "../state/index.ts";
import { applyMoves, type MoveResults } from "./apply-moves.ts";
import { formatMovable } from "./movable.ts";
import { impliedMoveStatements, moveStatementsOf, type MoveStatement } from "./move-statement.ts";
import { blockedMovesWarning, movesOutsideTargets, validateMoves } from "./validate-moves.ts";

const providerText = 'provider["registry.opentofu.org/hashicorp/test"]';
const provider = { config: requireAddress(providerText, parseProviderConfig(providerText)) };

/** A state with an object at each of the addresses. The object's id is the address. */
function stateWith(...addresses: readonly string[]): State {
  const draft = new StateDraft();
  for (const id of addresses)
    draft.setObject({ instance: requireAddress(id, parseResourceInstance(id)) }, createStateObject({ id }), provider);
  return draft.snapshot();
}

/** Addresses in a state, each with the id of its object, sorted. */
function objectsIn({ resources }: State): readonly string[] {
  const all = [...resources.values()].flatMap(({ address, instances }) =>
    Array.from(instances.values(), ({ key, current }) => {
      const text = formatResourceInstance(key === undefined ? address : { ...address, key });
      return `${text}: ${String(current?.attributes?.["id"])}`;
    }),
  );
  return all.sort();
}

async function configurationOf(files: Readonly<Record<string, string>>): Promise<Configuration> {
  const { configuration, diagnostics } = await loadConfiguration({ files: objectFiles(files) });
  if (configuration === undefined || diagnostics.length > 0) throw new Error(JSON.stringify(diagnostics));
  return configuration;
}

function moved(from: string, to: string): string {
  return `moved {\n  from = ${from}\n  to   = ${to}\n}\n`;
}

const modules = { "m/main.tf": 'module "n" {\n  source = "../n"\n}\n', "n/main.tf": "" };

/** Applies the statements of a root module. */
async function apply(main: string, state: State, files: Readonly<Record<string, string>> = modules): Promise<MoveResults> {
  const configuration = await configurationOf({ "main.tf": main, ...files });
  const explicit = moveStatementsOf(configuration);
  return applyMoves([...explicit, ...impliedMoveStatements(configuration, state, explicit)], state);
}

function blockedTexts({ blocked }: MoveResults): readonly string[] {
  return blocked.map(({ actual, wanted }) => `${formatMovable(actual)} -> ${formatMovable(wanted)}`);
}

describe("applyMoves", () => {
  test.for([
    [
      "a resource with all its instances",
      moved("test.a", "test.b"),
      ["test.a[0]", 'test.a["k"]'],
      ['test.b["k"]: test.a["k"]', "test.b[0]: test.a[0]"],
    ],
    ["one instance", moved("test.a[0]", "test.a[1]"), ["test.a[0]", "test.a[2]"], ["test.a[1]: test.a[0]", "test.a[2]: test.a[2]"]],
    [
      "an instance to a resource without keys",
      moved("test.a[0]", "test.b"),
      ["test.a[0]", "test.a[1]"],
      ["test.a[1]: test.a[1]", "test.b: test.a[0]"],
    ],
    ["a resource to another type", moved("test.a", "other.a"), ["test.a"], ["other.a: test.a"]],
    ["a resource into a module", moved("test.a", "module.m[0].test.a"), ["test.a"], ["module.m[0].test.a: test.a"]],
    ["a resource out of a module", moved("module.m.test.a", "test.a"), ["module.m.test.a"], ["test.a: module.m.test.a"]],
    [
      "a module with the modules in it",
      moved("module.m", "module.x"),
      ["module.m.test.a", "module.m[1].module.n[0].test.b"],
      ["module.x.test.a: module.m.test.a", "module.x[1].module.n[0].test.b: module.m[1].module.n[0].test.b"],
    ],
    [
      "one module instance",
      moved("module.m", 'module.m["k"]'),
      ["module.m.test.a", "module.m[1].test.a"],
      ['module.m["k"].test.a: module.m.test.a', "module.m[1].test.a: module.m[1].test.a"],
    ],
    ["along a chain", moved("test.b", "test.c") + moved("test.a", "test.b"), ["test.a"], ["test.c: test.a"]],
    [
      "a resource, and then its module",
      moved("module.m", "module.x") + moved("module.m.test.a", "module.m.test.b"),
      ["module.m.test.a"],
      ["module.x.test.b: module.m.test.a"],
    ],
    ["nothing where the state has no such object", moved("test.a", "test.b"), ["test.c"], ["test.c: test.c"]],
  ] as const)("moves %s", async ([, main, before, after], { expect }) => {
    const { state, blocked } = await apply(main, stateWith(...before));
    expect(objectsIn(state)).toEqual(after);
    expect(blocked).toEqual([]);
  });

  test("moves objects in all instances of the module with the statement", async ({ expect }) => {
    const files = { "m/main.tf": moved("test.a", "test.b") };
    const { state } = await apply(
      'module "m" {\n  source = "./m"\n  count  = 2\n}\n',
      stateWith("module.m[0].test.a", "module.m[1].test.a"),
      files,
    );
    expect(objectsIn(state)).toEqual(["module.m[0].test.b: module.m[0].test.a", "module.m[1].test.b: module.m[1].test.a"]);
  });

  test("records the first address of an instance that moved several times", async ({ expect }) => {
    const { moved: results } = await apply(moved("test.a", "test.b") + moved("test.b", "test.c[0]"), stateWith("test.a"));
    expect(Array.from(results, ([to, { from, implied }]) => [to, formatResourceInstance(from), implied])).toEqual([
      ["test.c[0]", "test.a", false],
    ]);
  });

  test.for([
    ["resource", moved("test.a", "test.b"), ["test.a", "test.b"]],
    ["resource instance", moved("test.a[0]", "test.b[0]"), ["test.a[0]", "test.b[0]"]],
    ["module", moved("module.m", "module.x"), ["module.m.test.a", "module.x.test.b"]],
  ] as const)("leaves a %s where it is if there is one at the destination", async ([, main, addresses], { expect }) => {
    const state = stateWith(...addresses);
    const results = await apply(main, state);
    expect(results.state).toBe(state);
    expect(results.moved.size).toBe(0);
    expect(results.blocked).toHaveLength(1);
    expect(blockedMovesWarning(results.blocked)).toMatchObject({
      severity: "warning",
      summary: "Unresolved resource instance address changes",
      detail: expect.stringContaining(
        `\n  - ${blockedTexts(results)[0]!.replace("->", "could not move to")}\n\nOpenTofu has planned to destroy these objects.`,
      ),
    });
  });

  test("moves nothing if statements form a cycle", async ({ expect }) => {
    const state = stateWith("test.a");
    expect((await apply(moved("test.a", "test.b") + moved("test.b", "test.a"), state)).state).toBe(state);
  });

  test("keeps the provider and deposed objects of a moved instance", async ({ expect }) => {
    const draft = new StateDraft(stateWith("test.a"));
    const address = requireAddress("test.a", parseResourceInstance("test.a"));
    draft.setObject({ instance: address, deposed: "0badf00d" }, createStateObject({ id: "old" }), provider);
    const { state } = await apply(moved("test.a", "test.b[0]"), draft.snapshot());
    const resource = state.resources.get("test.b");
    expect(resource?.provider).toEqual(provider.config);
    expect(resource?.instances.get(0)?.deposed.get("0badf00d")?.attributes).toEqual({ id: "old" });
  });

  test("shares resources that do not move", async ({ expect }) => {
    const before = stateWith("test.a", "test.c");
    const { state } = await apply(moved("test.a", "test.b"), before);
    expect(state.resources.get("test.c")).toBe(before.resources.get("test.c"));
  });

  test("orders thousands of statements", async ({ expect }) => {
    // Comparing each pair of statements would take longer than the time limit of the test.
    const count = 5000;
    const addresses = Array.from({ length: count }, (_, index) => `test.r${index}`);
    const main = addresses.map((_, index) => `resource "test" "r${index}" {\n  count = 1\n}\n`).join("");
    const { moved: results } = await apply(main, stateWith(...addresses));
    expect(results.size).toBe(count);
  });
});

describe("impliedMoveStatements", () => {
  test.for([
    ["count was added to a resource", 'resource "test" "a" {\n  count = 1\n}\n', ["test.a"], ["test.a[0]: test.a"]],
    [
      "count was removed from a resource",
      'resource "test" "a" {\n}\n',
      ["test.a[0]", "test.a[1]"],
      ["test.a: test.a[0]", "test.a[1]: test.a[1]"],
    ],
    [
      "count was added to a module call",
      'module "m" {\n  source = "./m"\n  count = 1\n}\n',
      ["module.m.test.a"],
      ["module.m[0].test.a: module.m.test.a"],
    ],
    [
      "count was removed from a module call",
      'module "m" {\n  source = "./m"\n}\n',
      ["module.m[0].test.a"],
      ["module.m.test.a: module.m[0].test.a"],
    ],
  ] as const)("keep the first instance when %s", async ([, main, before, after], { expect }) => {
    const { state, moved: results } = await apply(main, stateWith(...before));
    expect(objectsIn(state)).toEqual(after);
    expect([...results.values()].every(({ implied }) => implied)).toBe(true);
  });

  test.for([
    ["resources with for_each", 'resource "test" "a" {\n  for_each = { k = 1 }\n}\n', ["test.a", "test.a[0]"]],
    ["resources without a block", "", ["test.a", "test.b[0]"]],
  ] as const)("are not made for %s", async ([, main, addresses], { expect }) => {
    const state = stateWith(...addresses);
    expect((await apply(main, state)).state).toBe(state);
  });

  test("are not made for resources that a statement mentions", async ({ expect }) => {
    const main = `resource "test" "a" {\n  count = 2\n}\n${moved("test.a", "test.a[1]")}`;
    expect(objectsIn((await apply(main, stateWith("test.a"))).state)).toEqual(["test.a[1]: test.a"]);
  });
});

async function statementsOf(
  main: string,
): Promise<{ readonly configuration: Configuration; readonly statements: readonly MoveStatement[] }> {
  const configuration = await configurationOf({ "main.tf": main, ...modules });
  return { configuration, statements: moveStatementsOf(configuration) };
}

const root = { module: [], resource: { mode: "managed", type: "test", name: "a" } } as const;

describe("validateMoves", () => {
  test("accepts statements about objects that are no longer declared", async ({ expect }) => {
    const { configuration, statements } = await statementsOf(`${moved("test.a", "test.b")}resource "test" "b" {\n}\n`);
    const declared = new DeclaredInstances();
    declared.addResource({ module: [], resource: { ...root.resource, name: "b" } }, { kind: "single" });
    expect(validateMoves(statements, configuration, declared)).toEqual([]);
  });

  test("refuses to move an object that is still declared, and says where", async ({ expect }) => {
    const { configuration, statements } = await statementsOf(`resource "test" "a" {\n  count = 1\n}\n${moved("test.a[0]", "test.b[0]")}`);
    const declared = new DeclaredInstances();
    declared.addResource(root, { kind: "count", count: 1 });
    expect(validateMoves(statements, configuration, declared)).toMatchObject([
      {
        summary: "Moved object still exists",
        detail:
          "This statement declares a move from test.a[0], but that resource instance is still declared at main.tf:2,11.\n\nChange your configuration so that this instance will be declared as test.b[0] instead.",
        subject: { start: { line: 4 } },
      },
    ]);
  });

  test.for([
    [
      "one source and two destinations",
      moved("test.a", "test.b") + moved("test.a", "test.c"),
      "A statement at main.tf:1,1 declared that test.a moved to test.b, but this statement instead declares that it moved to test.c.\n\nEach resource can move to only one destination resource.",
    ],
    [
      "two sources and one destination",
      moved("module.m", "module.x") + moved("module.n", "module.x"),
      "A statement at main.tf:1,1 declared that module.m moved to module.x, but this statement instead declares that module.n moved there.\n\nEach module call can have moved from only one source call.",
    ],
    [
      "the same address twice",
      moved("test.a", "test.a"),
      "This statement declares a move from test.a to the same address, which is the same as not declaring this move at all.",
    ],
    [
      "a cycle",
      moved("test.a", "test.b") + moved("test.b", "test.a"),
      "The following chained move statements form a cycle, and so there is no final location to move objects to:\n  - main.tf:1,1: test.a[*] → test.b[*]\n  - main.tf:5,1: test.b[*] → test.a[*]\n\nA chain of move statements must end with an address that doesn't appear in any other statements, and which typically also refers to an object still declared in the configuration.",
    ],
  ] as const)("refuses %s", async ([, main, detail], { expect }) => {
    const { configuration, statements } = await statementsOf(main);
    expect(validateMoves(statements, configuration, new DeclaredInstances()).map((one) => one.detail)).toEqual([detail]);
  });
});

describe("movesOutsideTargets", () => {
  const subjects = (...texts: readonly string[]) => texts.map((text) => requireAddress(text, parseTarget(text)).subject);

  test("names the resources that the targets leave out", async ({ expect }) => {
    const results = await apply(moved("test.a", "test.b"), stateWith("test.a[0]", "test.a[1]"));
    expect(movesOutsideTargets(results, subjects("test.b"), [])?.detail).toContain(
      'add the following additional target options:\n  -target="test.a"\n\nNote',
    );
    expect(movesOutsideTargets(results, subjects("test.a", "test.b"), [])).toBeUndefined();
  });

  test("names the resources that are excluded", async ({ expect }) => {
    const results = await apply(moved("test.a", "test.b"), stateWith("test.a"));
    expect(movesOutsideTargets(results, [], subjects("test.b", "test.c"))?.detail).toContain(
      'remove the following options:\n  -exclude="test.b"\n\nNote',
    );
    expect(movesOutsideTargets(results, [], [])).toBeUndefined();
  });
});

describe("DeclaredInstances", () => {
  const declared = new DeclaredInstances();
  declared.addModuleCall([], "m", { kind: "forEach", values: new Map([["k", of(string, "")]]) });
  declared.addModuleCall([{ name: "m", key: "k" }], "n", { kind: "count", count: 2 });
  declared.addResource({ module: [{ name: "m", key: "k" }], resource: root.resource }, { kind: "enabled", enabled: false });

  test("lists all instances of a module", ({ expect }) => {
    expect(declared.moduleInstances(["m", "n"])).toEqual(
      [0, 1].map((key) => [
        { name: "m", key: "k" },
        { name: "n", key },
      ]),
    );
    expect(declared.moduleInstances(["x"])).toEqual([]);
    expect(declared.moduleInstances([])).toEqual([[]]);
  });
  test("knows module calls and resources that have no instances", ({ expect }) => {
    expect(declared.hasResource({ module: [{ name: "m", key: "k" }], resource: root.resource })).toBe(true);
    expect(declared.hasResourceInstance({ module: [{ name: "m", key: "k" }], resource: root.resource })).toBe(false);
    expect(declared.hasModuleCall([{ name: "m", key: "k" }], "n")).toBe(true);
    expect(declared.hasModuleCall([{ name: "m", key: "l" }], "n")).toBe(false);
    expect(
      declared.hasModuleInstance([
        { name: "m", key: "k" },
        { name: "n", key: 2 },
      ]),
    ).toBe(false);
  });
});
