// SPDX-License-Identifier: Apache-2.0
// Custom resources under every set of management policies, and tofu: a set allows some of the changes that tofu makes for the same configuration, and
// those are equal. Tofu makes only them: it plans others, and forgets what a set does not delete.
import { mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { provider as notebook } from "@tenon/example-notebook";
import { Notebook } from "@tenon/example-notebook/store";
import { describePeer } from "@tenon/peers/vitest";
import { createProvider } from "@tenon/provider-sdk";
import type { Provider } from "@tenon/schema";
import { afterAll, beforeAll, test } from "vitest";
import { CliWorkspace } from "./cli-workspace.ts";
import { configuration } from "./go-provider.ts";
import { TestOperator } from "./kubernetes-operator.ts";
import { kubernetesSuite } from "./kubernetes-suite.ts";
import { ChangeRecord, recordedChanges, ServedForTofu, type RecordedChange } from "./recorded-changes.ts";

const note = "notebook_note";
const externalName = "crossplane.io/external-name";
const paused = "crossplane.io/paused";

/** The sets that Crossplane supports. */
const sets: readonly (readonly string[])[] = [
  ["*"],
  [],
  ["Observe"],
  ...[["Create"], ["Update"], ["Create", "Update"]].flatMap((changes) =>
    [[], ["Delete"], ["LateInitialize"], ["Delete", "LateInitialize"]].map((others) => ["Observe", ...changes, ...others]),
  ),
];

/** An object under a set of policies. */
interface Case {
  /** Name of the object, with which the title of its note begins. */
  readonly name: string;
  readonly policies: readonly string[];
  /** Whether the annotation pauses the object during the update. */
  readonly pauses: boolean;
  readonly allows: (policy: string) => boolean;
}

const cases: readonly Case[] = [...sets, ["*"]].map((policies, at) => ({
  name: `case-${at}`,
  policies,
  pauses: at === sets.length,
  allows: (policy) => policies.includes("*") || policies.includes(policy),
}));

/** Whether tofu manages the note: policies that only observe, or pause, allow no change. */
const isManaged = ({ policies }: Case): boolean => policies.length > 1 || policies.includes("*");

describePeer(["kube-apiserver", "etcd", "tofu"], "under each of the fifteen sets of policies", (programs) => {
  const suite = kubernetesSuite(programs);
  let root: string;
  beforeAll(() => void (root = mkdtempSync(join(tmpdir(), "tenon-kubernetes-policies-"))));
  afterAll(() => rmSync(root, { recursive: true, force: true }));

  /** Opens a configured provider with notes for the cases that may not create any. */
  async function prepared(side: string): Promise<string> {
    const folder = join(root, side);
    mkdirSync(folder);
    const store = new Notebook(databaseOf(side));
    for (const { name, allows } of cases) {
      const fields = { title: `${name} one`, folder: "inbox", body: null, tags: null, passphrase: null };
      if (!allows("Create")) await store.createNote(fields);
    }
    store.close();
    return folder;
  }

  const databaseOf = (side: string): string => join(root, side, "notes.db");

  /** Identifiers and titles of the notes of a side, by the names of the cases. */
  function notesOf(side: string): ReadonlyMap<string, { readonly id: string; readonly title: string }> {
    const store = new Notebook(databaseOf(side));
    const notes = store.searchNotes("", null);
    store.close();
    return new Map(notes.map((one) => [one.title.split(" ")[0]!, { id: one.id, title: one.title }]));
  }

  async function configured(side: string): Promise<Provider> {
    const provider = createProvider(notebook);
    const { provider: schema } = await provider.getProviderSchema({});
    const config = configuration(schema!, { path: databaseOf(side) });
    await provider.configureProvider({ terraformVersion: "1.12.6", config });
    return provider;
  }

  test("custom resources make the changes of tofu that the set allows", { timeout: 300_000 }, async ({ expect }) => {
    expect(sets).toHaveLength(15);
    await prepared("ours");
    await prepared("theirs");
    await using ours = await OurNotes.start(suite.client, await configured("ours"));
    await using theirs = await TheirNotes.start(programs.tofu.path, databaseOf("theirs"));
    const titles = (notes: ReturnType<typeof notesOf>): readonly string[] => [...notes.values()].map(({ title }) => title).toSorted();

    const begin = { ours: notesOf("ours"), theirs: notesOf("theirs") };
    const expected = await theirs.begin(begin.theirs);
    expect(await ours.begin(begin.ours), "after the creation or import").toEqual(expected);
    // Each case that creates is planned and applied.
    expect(expected).toHaveLength(2 * cases.filter(({ allows }) => allows("Create")).length);
    expect(titles(notesOf("ours"))).toEqual(titles(notesOf("theirs")));

    expect(await ours.update(), "after the update").toEqual(await theirs.update(false));
    expect(titles(notesOf("ours"))).toEqual(titles(notesOf("theirs")));
    expect(await ours.resume(), "after the end of the pause").toEqual(await theirs.update(true));
    expect(titles(notesOf("ours"))).toEqual(titles(notesOf("theirs")));

    expect(await ours.delete(), "after the deletion").toEqual(await theirs.delete());
    const remaining = titles(notesOf("ours"));
    expect(remaining).toEqual(titles(notesOf("theirs")));
    expect(remaining).toHaveLength(cases.filter(({ policies, allows }) => policies.length > 0 && !allows("Delete")).length + 1);
  });
});

/** The changes of a side, sorted. The notes of the two sides have different identifiers. */
function sorted(changes: ReturnType<ChangeRecord["take"]>): readonly string[] {
  return changes
    .map((change) => JSON.stringify(change as RecordedChange).replaceAll(/(\\"id\\":cty\.StringVal\(\\")\d+/g, "$1id"))
    .toSorted();
}

/** The custom resources. */
class OurNotes implements AsyncDisposable {
  readonly #operator: TestOperator;
  readonly #record: ChangeRecord;

  private constructor(operator: TestOperator, record: ChangeRecord) {
    this.#operator = operator;
    this.#record = record;
  }

  static async start(client: ReturnType<typeof kubernetesSuite>["client"], provider: Provider): Promise<OurNotes> {
    const record = new ChangeRecord();
    return new OurNotes(await TestOperator.start({ client, provider: recordedChanges(provider, record), resources: [note] }), record);
  }

  async begin(notes: ReadonlyMap<string, { readonly id: string }>): Promise<readonly string[]> {
    for (const one of cases) {
      const id = notes.get(one.name)?.id;
      await this.#put(one, "one", id === undefined ? {} : { [externalName]: id });
    }
    for (const { name, policies, allows } of cases) {
      if (policies.length === 0) await this.#reason(name, "Synced", "ReconcilePaused");
      else await this.#operator.ready(note, name);
      if (allows("LateInitialize")) await this.#operator.becomes(note, name, ({ spec }) => spec.forProvider["folder"] === "inbox");
    }
    return sorted(this.#record.take());
  }

  async update(): Promise<readonly string[]> {
    for (const one of cases) await this.#put(one, "two", one.pauses ? { [paused]: "true" } : {});
    for (const { name, policies, pauses, allows } of cases) {
      if (policies.length === 0 || pauses) await this.#reason(name, "Synced", "ReconcilePaused");
      else if (allows("Update")) await this.#has(name, "two");
      else await this.#reason(name, "UpToDate", policies.length === 1 ? "NotPlanned" : "ChangesNotAllowed");
    }
    return sorted(this.#record.take());
  }

  /** Ends the pause. */
  async resume(): Promise<readonly string[]> {
    for (const { name, pauses } of cases) {
      if (!pauses) continue;
      await this.#operator.annotate(note, name, { [paused]: null });
      await this.#has(name, "two");
    }
    return sorted(this.#record.take());
  }

  async delete(): Promise<readonly string[]> {
    for (const { name } of cases) await this.#operator.delete(note, name);
    for (const { name, policies } of cases) if (policies.length > 0) await this.#operator.gone(note, name);
    return sorted(this.#record.take());
  }

  async #put({ name, policies }: Case, word: string, annotations: Readonly<Record<string, string>>): Promise<void> {
    const spec = { forProvider: { title: `${name} ${word}` }, managementPolicies: policies };
    await this.#operator.put(note, name, spec, { annotations });
  }

  /** Waits until the note of an object has a title. */
  async #has(name: string, word: string): Promise<void> {
    await this.#operator.becomes(note, name, ({ status }) => status?.atProvider?.["title"] === `${name} ${word}`);
    await this.#operator.ready(note, name);
  }

  /** Waits until a condition has a reason since the last change of the object. */
  async #reason(name: string, type: string, reason: string): Promise<void> {
    await this.#operator.becomes(note, name, ({ status, metadata }) => {
      const condition = status?.conditions?.find((one) => one.type === type);
      return condition?.reason === reason && condition.observedGeneration === metadata.generation;
    });
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#operator[Symbol.asyncDispose]();
  }
}

/** The same notes in one configuration of tofu. */
class TheirNotes implements AsyncDisposable {
  readonly #workspace: CliWorkspace;
  readonly #served: ServedForTofu;
  readonly #record: ChangeRecord;
  readonly #path: string;
  readonly #environment: Readonly<Record<string, string>>;

  private constructor(tofu: string, path: string, served: ServedForTofu, record: ChangeRecord) {
    this.#workspace = new CliWorkspace(tofu, { kind: "filesystemMirror", folder: "/nowhere" });
    this.#path = path;
    this.#served = served;
    this.#record = record;
    this.#environment = served.environment("example.com/tenon/notebook");
  }

  static async start(tofu: string, path: string): Promise<TheirNotes> {
    const record = new ChangeRecord();
    const served = await ServedForTofu.start(async () => recordedChanges(createProvider(notebook), record));
    return new TheirNotes(tofu, path, served, record);
  }

  async begin(notes: ReadonlyMap<string, { readonly id: string }>): Promise<readonly string[]> {
    const imports = cases
      .filter((one) => isManaged(one) && notes.has(one.name))
      .map(({ name }) => ({ to: `${note}.${name}`, id: notes.get(name)!.id }));
    this.#write(() => "one", { import: imports });
    await this.#tofu("init");
    await this.#apply([]);
    return sorted(this.#record.take());
  }

  /** Makes the updates that the policies allow, and plans the others. @param isLast - Whether no object is paused any more. */
  async update(isLast: boolean): Promise<readonly string[]> {
    this.#write(({ pauses }) => (pauses && !isLast ? "one" : "two"), {});
    if (!isLast) await this.#tofu("plan", "-input=false");
    const updated = cases.filter((one) => isManaged(one) && one.allows("Update") && one.pauses === isLast);
    await this.#apply(updated.map(({ name }) => `-target=${note}.${name}`));
    return sorted(this.#record.take());
  }

  async delete(): Promise<readonly string[]> {
    const kept = cases.filter((one) => isManaged(one) && !one.allows("Delete"));
    await this.#tofu("state", "rm", ...kept.map(({ name }) => `${note}.${name}`));
    this.#write(() => undefined, {});
    await this.#apply([]);
    return sorted(this.#record.take());
  }

  /** Writes the configuration. @param word - The second word of the title of a note; undefined leaves it out. */
  #write(word: (one: Case) => string | undefined, others: object): void {
    const managed = cases.filter((one) => isManaged(one) && word(one) !== undefined);
    const configOf = (one: Case): object => {
      // Late initialisation has added the folder to the parameters before the update.
      const folder = one.allows("LateInitialize") && word(one) === "two" ? { folder: "inbox" } : {};
      return { title: `${one.name} ${word(one)}`, ...folder };
    };
    const resources = Object.fromEntries(managed.map((one) => [one.name, configOf(one)]));
    const document = {
      terraform: { required_providers: { notebook: { source: "example.com/tenon/notebook" } } },
      provider: { notebook: { path: this.#path } },
      ...(managed.length > 0 ? { resource: { [note]: resources } } : {}),
      ...others,
    };
    this.#workspace.write({ "main.tf.json": JSON.stringify(document) });
  }

  async #apply(targets: readonly string[]): Promise<void> {
    await this.#tofu("plan", "-input=false", "-out=plan.bin", ...targets);
    await this.#tofu("apply", "-input=false", "plan.bin");
  }

  async #tofu(command: string, ...args: readonly string[]): Promise<void> {
    // Each command configures an instance.
    await this.#served.renew();
    await this.#workspace.must([command, ...(command === "state" ? args : ["-no-color", ...args])], { env: this.#environment });
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#served[Symbol.asyncDispose]();
    this.#workspace[Symbol.dispose]();
  }
}
