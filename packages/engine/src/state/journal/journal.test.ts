// SPDX-License-Identifier: Apache-2.0
import { appendFileSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { onTestFinished, test } from "vitest";
import { parseProviderConfig } from "../../address/provider-config.ts";
import { parseResourceInstance } from "../../address/target.ts";
import { requireAddress } from "../../address/address-diagnostic.ts";
import type { ResourceInstanceObject } from "../../address/resource.ts";
import { StateDraft } from "../state-draft.ts";
import { StateManager } from "../state-manager.ts";
import { createStateObject } from "../state-object.ts";
import { sortedResources, type State } from "../state.ts";
import { memoryState } from "../stores/memory-store.ts";
import { defaultWorkspace } from "../stores/state-store.ts";
import { ApplyJournal } from "./apply-journal.ts";
import { journalLine, readJournalLines } from "./journal-line.ts";
import { formatRecord, parseRecord, type InterruptedChange, type JournalRecord } from "./journal-record.ts";
import { mergeJournal } from "./merge-journal.ts";
import { journalBase, openState, type StateLocation } from "./recover-journal.ts";

const provider = { config: requireAddress("provider", parseProviderConfig('provider["registry.opentofu.org/tenon/mem"]')) };
const keyed = { config: requireAddress("provider", parseProviderConfig('provider["registry.opentofu.org/tenon/mem"].by')), key: "eu" };

function at(text: string, deposed?: string): ResourceInstanceObject {
  return { instance: requireAddress(text, parseResourceInstance(text)), ...(deposed !== undefined && { deposed }) };
}

function set(text: string, name: string, deposed?: string): Extract<JournalRecord, { kind: "set" }> {
  return { kind: "set", address: at(text, deposed), object: createStateObject({ name }), provider };
}

function begun(text: string, action: InterruptedChange["action"] = "create"): InterruptedChange {
  const planned = new Map([['tags["stage"]', "test"]]);
  return { address: at(text), action, provider: "provider", at: "2026-01-02T03:04:05.000Z", planned, sensitive: ["password"] };
}

function namesIn(state: State): readonly string[] {
  return sortedResources(state).flatMap(({ instances }) =>
    [...instances.values()].flatMap(({ current, deposed }) => [
      ...(current === undefined ? [] : [String(current.attributes!["name"])]),
      ...[...deposed].map(([key, { attributes }]) => `${String(attributes!["name"])} ${key}`),
    ]),
  );
}

/** A state in memory, with a journal in a new folder. */
function createLocation(): StateLocation & { readonly journal: string } {
  const folder = mkdtempSync(join(tmpdir(), "tenon-journal-"));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  return { store: memoryState().workspace(defaultWorkspace), layout: "compact", journal: join(folder, "state", "test.journal") };
}

test("reads the lines that it writes, and leaves out a line that is cut off at any byte", ({ expect }) => {
  const texts = ['{"a":1}', '{"b":"ü"}', "{}"];
  const content = Buffer.from(texts.map(journalLine).join(""));
  expect(readJournalLines(content)).toEqual({ lines: texts, size: content.length, damagedLine: undefined });
  const first = Buffer.byteLength(texts.slice(0, 2).map(journalLine).join(""));
  for (let length = first; length < content.length; length++) {
    expect(readJournalLines(content.subarray(0, length))).toEqual({ lines: texts.slice(0, 2), size: first, damagedLine: undefined });
  }
});

test("finds a damaged line before intact ones", ({ expect }) => {
  const content = Buffer.from(['{"a":1}', '{"b":2}', '{"c":3}'].map(journalLine).join(""));
  for (let index = 17; index < 33; index++) {
    const damaged = Buffer.from(content);
    damaged[index]! ^= 0x20;
    expect(readJournalLines(damaged)).toMatchObject({ size: 17, damagedLine: 2 });
  }
});

test("reads the records that it writes", ({ expect }) => {
  const sensitive = createStateObject({ name: "a", size: { rawJSON: "12345678901234567890" } }, { private: Buffer.from("key") });
  const records: readonly JournalRecord[] = [
    { kind: "header", lineage: "l", base: { serial: 3, sha256: "00" } },
    { kind: "header", lineage: "l", base: undefined },
    { kind: "begin", change: begun('module.a["x"].mem_node.b[2]') },
    { kind: "begin", change: { ...begun("mem_node.b", "delete"), planned: new Map(), sensitive: [] } },
    { kind: "end", address: at("mem_node.a", "0123abcd") },
    set('module.a["x"].mem_node.b["y"]', "b"),
    set("mem_node.a", "a", "0123abcd"),
    { kind: "set", address: at("mem_node.a"), object: { ...sensitive, status: "tainted" }, provider: keyed },
    { kind: "remove", address: at("data.mem_node.a") },
    { ...set("mem_node.a", "a", "0123abcd"), kind: "move", from: at("mem_node.a") },
    { kind: "write", version: { serial: 4, sha256: "ff" } },
  ];
  for (const record of records) {
    const text = formatRecord(record);
    expect(formatRecord(parseRecord(text))).toBe(text);
    expect(parseRecord(text).kind).toBe(record.kind);
  }
  for (const text of [
    "{}",
    "[]",
    "1",
    '{"journal":2}',
    '{"begin":"mem_node.a","action":"x"}',
    '{"set":{"mode":"managed"}}',
    '{"remove":"?"}',
  ]) {
    expect(() => parseRecord(text)).toThrow();
  }
});

test("merges records into every state that the run may have stored, with one result", ({ expect }) => {
  const before = new StateDraft();
  for (const name of ["a", "b", "c"]) before.setObject(at(`mem_node.${name}`), createStateObject({ name }), provider);
  const stored = before.snapshot();
  const records: readonly JournalRecord[] = [
    { kind: "begin", change: begun("mem_node.a", "delete") },
    { kind: "remove", address: at("mem_node.a") },
    { kind: "begin", change: begun("mem_node.a") },
    { ...set("mem_node.b", "b", "0123abcd"), kind: "move", from: at("mem_node.b") },
    { kind: "begin", change: begun("mem_node.b") },
    set("mem_node.b", "b2"),
    { kind: "begin", change: begun("mem_node.c", "update") },
    { kind: "end", address: at("mem_node.c") },
    set("mem_node.d", "d"),
  ];
  let partial = stored;
  for (let count = 0; count <= records.length; count++) {
    partial = mergeJournal(records.slice(0, count), stored).state;
    const { state, interrupted } = mergeJournal(records, partial);
    expect(namesIn(state).toSorted()).toEqual(["b 0123abcd", "b2", "c", "d"]);
    expect(interrupted.map(({ address: { instance } }) => instance.resource.name)).toEqual(["a"]);
  }
  expect(mergeJournal(records, partial).recovered).toEqual([]);
  expect(mergeJournal(records, stored).recovered.map(({ kind }) => kind)).toEqual(["removed", "changed", "created", "created"]);
});

test("stores finished changes once, and keeps a change without an answer until the next apply ends", async ({ expect }) => {
  const location = createLocation();
  const { manager } = await openState(location);
  const journal = await ApplyJournal.start(location.journal, journalBase(manager), []);
  expect(statSync(location.journal).mode & 0o777).toBe(0o600);
  await journal.begin(begun("mem_node.a"));
  journal.set(set("mem_node.a", "a"));
  await journal.begin(begun("mem_node.b"));
  appendFileSync(location.journal, '0badc0de {"set":');
  for (const count of [1, 0]) {
    const opened = await openState(location);
    expect(opened.recovered).toHaveLength(count);
    expect(opened.interrupted).toEqual([begun("mem_node.b")]);
    expect(opened.manager.file).toMatchObject({ serial: 1, lineage: manager.file.lineage });
    expect(namesIn(opened.manager.file.state)).toEqual(["a"]);
  }
  const { manager: next, interrupted } = await openState(location);
  const second = await ApplyJournal.start(location.journal, journalBase(next), interrupted);
  await second.begin(begun("mem_node.b"));
  second.set(set("mem_node.b", "b"));
  const draft = new StateDraft(next.file.state);
  draft.setObject(at("mem_node.b"), createStateObject({ name: "b" }), provider);
  await next.save(draft.snapshot(), { beforeWrite: (version) => second.beginWrite(version) });
  await second.finish(journalBase(next), true);
  expect(readdirSync(join(location.journal, ".."))).toEqual([]);
  expect(await openState(location)).toMatchObject({ recovered: [], interrupted: [] });
  await journal.close();
});

test("recognizes a state that was stored after the last record of the journal was written", async ({ expect }) => {
  const location = createLocation();
  const { manager } = await openState(location);
  const journal = await ApplyJournal.start(location.journal, journalBase(manager), []);
  journal.set(set("mem_node.a", "a"));
  const draft = new StateDraft();
  draft.setObject(at("mem_node.a"), createStateObject({ name: "a" }), provider);
  await manager.save(draft.snapshot(), { beforeWrite: (version) => journal.beginWrite(version) });
  await journal.close();
  expect(await openState(location)).toMatchObject({ recovered: [], interrupted: [] });
  expect(readdirSync(join(location.journal, ".."))).toEqual([]);
});

test("refuses a journal of another lineage or of a state that another run has written", async ({ expect }) => {
  const location = createLocation();
  const { manager } = await openState(location);
  const journal = await ApplyJournal.start(location.journal, journalBase(manager), []);
  journal.set(set("mem_node.a", "a"));
  await journal.begin(begun("mem_node.b"));
  await journal.close();
  const other = await StateManager.open(location.store, location.layout, { lineage: manager.file.lineage });
  const draft = new StateDraft();
  draft.setObject(at("mem_node.z"), createStateObject({ name: "z" }), provider);
  await other.save(draft.snapshot());
  await expect(openState(location)).rejects.toThrow(
    /JOURNAL_MISMATCH|serial none, and the stored state has serial 1, written by another run/,
  );
  await expect(openState({ ...createLocation(), journal: location.journal })).resolves.toMatchObject({ recovered: [{ kind: "created" }] });
});

test("refuses a journal whose lineage is not that of the stored state", async ({ expect }) => {
  const location = createLocation();
  const { manager } = await openState(location);
  const draft = new StateDraft();
  draft.setObject(at("mem_node.z"), createStateObject({ name: "z" }), provider);
  await manager.save(draft.snapshot());
  const journal = await ApplyJournal.start(location.journal, { lineage: "another", base: undefined }, []);
  await journal.begin(begun("mem_node.b"));
  await journal.close();
  const error: unknown = await openState(location).catch((reason: unknown) => reason);
  expect(error).toMatchObject({ code: "JOURNAL_MISMATCH", message: expect.stringContaining("belongs to lineage another") });
  const { refused, interrupted } = await openState(location, { setAside: true });
  expect(refused).toMatchObject({ reason: { code: "JOURNAL_MISMATCH" }, path: `${location.journal}.refused` });
  expect(interrupted).toEqual([begun("mem_node.b")]);
  expect(await openState(location)).toMatchObject({ recovered: [], interrupted: [] });
});

test("refuses a damaged journal, and reports its intact records when it is set aside", async ({ expect }) => {
  const location = createLocation();
  const { manager } = await openState(location);
  const journal = await ApplyJournal.start(location.journal, journalBase(manager), []);
  await journal.begin(begun("mem_node.a"));
  journal.set(set("mem_node.b", "b"));
  await journal.close();
  const [header, , ...rest] = readFileSync(location.journal, "utf8").split("\n");
  writeFileSync(location.journal, [header, "garbage", ...rest].join("\n"));
  await expect(openState(location)).rejects.toMatchObject({ code: "JOURNAL_MALFORMED" });
  const opened = await openState(location, { setAside: true });
  expect(opened).toMatchObject({ recovered: [{ kind: "created" }], refused: { reason: { code: "JOURNAL_MALFORMED" } } });
  expect(namesIn(opened.manager.file.state)).toEqual([]);
});
