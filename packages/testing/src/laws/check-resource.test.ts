// SPDX-License-Identifier: Apache-2.0
import { of } from "@tenon/cty";
import { attr, block, defineProvider, importById, isUnknown, type ServedProvider } from "@tenon/provider-sdk";
import { requiresReplaceIf, useStateForUnknown } from "@tenon/provider-sdk/plan-modifiers";
import { matches, oneOf } from "@tenon/provider-sdk/validators";
import type { ProviderFactory } from "@tenon/schema";
import { describe, expect, test } from "vitest";
import { checkResource, type LawName } from "./index.ts";

interface Note {
  readonly id: string;
  readonly title: string;
  readonly folder: string;
  readonly body: string | null;
  readonly slug: string;
}

interface Faults {
  /** What a read returns of a note. */
  readonly read?: (note: Note) => Note | undefined;
  readonly updateSlug?: boolean;
  readonly keepSlug?: boolean;
  readonly deletes?: boolean;
  /** Whether a change of the folder to `recipes` replaces the note, also where the folder is not known yet. */
  readonly replaces?: "known" | "unknown";
}

const slugOf = (title: string): string => title.toLowerCase();

/** A provider of notes, with faults. */
function notebook({ read = (note) => note, updateSlug = true, keepSlug = false, deletes = true, replaces }: Faults = {}): {
  readonly provider: ServedProvider;
  readonly notes: Map<string, Note>;
} {
  const notes = new Map<string, Note>();
  let last = 0;
  const isReplaced = ({ planned }: { readonly planned: string | symbol | null }): boolean =>
    planned === "recipes" || (replaces === "unknown" && isUnknown(planned));
  const replacing = replaces === undefined ? [] : [requiresReplaceIf<string>(isReplaced, "when it becomes recipes")];
  const definition = defineProvider({ name: "notebook", version: "1.0.0" });
  const note = definition.resource("note", {
    schema: {
      id: attr.string({ computed: true, planModifiers: [useStateForUnknown()] }),
      title: attr.string({ required: true }),
      folder: attr.string({ default: "inbox", validators: [oneOf(["inbox", "recipes"])], planModifiers: replacing }),
      body: attr.string({ optional: true }),
      slug: attr.string({ computed: true, planModifiers: keepSlug ? [useStateForUnknown()] : [] }),
    },
    create: ({ planned: { title, folder, body } }) => {
      const created = { id: String((last += 1)), title, folder, body, slug: slugOf(title) };
      notes.set(created.id, created);
      return created;
    },
    read: ({ state }) => {
      const found = notes.get(state.id);
      return found && read(found);
    },
    update: ({ state, planned: { title, folder, body } }) => {
      const changed = { id: state.id, title, folder, body, slug: updateSlug && !keepSlug ? slugOf(title) : state.slug };
      notes.set(changed.id, changed);
      return changed;
    },
    delete: ({ state }) => void (deletes && notes.delete(state.id)),
    importState: importById("id"),
  });
  return { provider: definition.with([note]), notes };
}

/** Returns the failure of a check. */
async function failureOf(faults: Faults, except: readonly LawName[] = []): Promise<string> {
  const { provider } = notebook(faults);
  try {
    await checkResource(provider, "notebook_note", { except });
  } catch (error) {
    return (error as Error).message;
  }
  throw new Error("the check found nothing");
}

describe("checkResource", () => {
  test("passes a correct resource, and says what it did", async () => {
    const { provider, notes } = notebook();
    const { cases, validCases, outcomes } = await checkResource(provider, "notebook_note", { remaining: () => notes.size });
    expect([cases, validCases]).toEqual([50, 50]);
    expect([...outcomes.keys()]).toEqual(expect.arrayContaining(["created", "imported by the ID", "updated"]));
  });

  test("finds a read that loses a value, with the simplest configuration", async () => {
    const text = await failureOf({ read: (note) => ({ ...note, body: note.body === "" ? null : note.body }) });
    expect(text).toContain(`stable-read: A read after an apply returns the same values.
  The read after the creation returns other values:
    body: expected "", got null

  resource "notebook_note" "a" {
    body = ""
    title = "a"
  }
`);
  });

  test("finds an update that does not do what a creation does", async () => {
    const text = await failureOf({ updateSlug: false });
    expect(text).toContain("update-equals-replace");
    expect(text).toContain('slug: expected "a", got "b"');
  });

  test("finds a computed value that is kept in plans, although it depends on the configuration", async () => {
    expect(await failureOf({ keepSlug: true })).toContain("update-equals-replace");
  });

  test("accepts values that depend on the life of an object, and not on its configuration alone", async () => {
    const definition = defineProvider({ name: "counted", version: "1.0.0" });
    const objects = new Map<string, { readonly title: string; readonly revision: number; readonly created: string }>();
    const counter = definition.resource("counter", {
      schema: {
        title: attr.string({ required: true }),
        revision: attr.number({ computed: true }),
        // In seconds, so that two objects often have the same time.
        created: attr.string({ computed: true, planModifiers: [useStateForUnknown()] }),
      },
      create: ({ planned: { title } }) => {
        objects.set("a", { title, revision: 1, created: new Date().toISOString().slice(0, 19) });
        return objects.get("a")!;
      },
      read: () => objects.get("a"),
      update: ({ planned: { title }, state }) => {
        objects.set("a", { title, revision: state.revision + 1, created: state.created });
        return objects.get("a")!;
      },
      delete: () => void objects.delete("a"),
    });
    const { outcomes } = await checkResource(definition.with([counter]), counter, { cases: 10 });
    expect(outcomes.get("updated")).toBeGreaterThan(0);
  });

  test("finds a replacement that the plan with an unknown value does not have", async () => {
    expect(await failureOf({ replaces: "known" })).toContain("final-plan-fits");
    await expect(failureOf({ replaces: "unknown" })).rejects.toThrow("the check found nothing");
  });

  test("finds a validation that fails for unknown elements", async () => {
    const definition = defineProvider({ name: "lists", version: "1.0.0" });
    const list = definition.resource("list", {
      schema: { words: attr.list(attr.string(), { optional: true }) },
      validate: ({ config }) => {
        if (Array.isArray(config.words)) for (const word of config.words) (word as string).toUpperCase();
      },
      create: ({ planned }) => planned,
      read: ({ state }) => state,
      update: ({ planned }) => planned,
      delete: () => {},
    });
    await expect(checkResource(definition.with([list]), list, { apply: false })).rejects.toThrow(/unknown-validates[^]*toUpperCase/);
  });

  test("finds an upgrade that returns null for a block that the stored state lacks", async () => {
    const definition = defineProvider({ name: "lists", version: "1.0.0" });
    const list = definition.resource("list", {
      schema: { parts: block.list({ text: attr.string({ required: true }) }) },
      create: ({ planned }) => planned,
      read: ({ state }) => state,
      update: ({ planned }) => planned,
      delete: () => {},
    });
    const open: ProviderFactory = async () => {
      const provider = await definition.with([list]).open();
      const upgradeResourceState: typeof provider.upgradeResourceState = async (request, options) => {
        const response = await provider.upgradeResourceState(request, options);
        const stored = new TextDecoder().decode(request.rawState.json);
        if (stored.includes('"parts"') || response.upgradedState === undefined) return response;
        return { ...response, upgradedState: of(response.upgradedState.type, { parts: null } as never) };
      };
      return { ...provider, upgradeResourceState };
    };
    await expect(checkResource(open, list, { apply: false })).rejects.toThrow(/upgrade-lenient[^]*without its empty blocks/);
  });

  test("finds a deletion that does nothing", async () => {
    expect(await failureOf({ deletes: false })).toContain("gone-after-delete: A deleted object does not exist any more.");
  });

  test("leaves out excepted laws", async () => {
    await expect(failureOf({ deletes: false }, ["gone-after-delete"])).rejects.toThrow("the check found nothing");
  });

  test("asks for values where it finds no valid ones, and takes them", async () => {
    const definition = defineProvider({ name: "strict", version: "1.0.0" });
    const code = definition.resource("code", {
      schema: { code: attr.string({ required: true, validators: [matches(/^[A-Z]{3}-\d{7}$/)] }) },
      create: ({ planned }) => planned,
      read: ({ state }) => state,
      update: ({ planned }) => planned,
      delete: () => {},
    });
    const provider = definition.with([code]);
    await expect(checkResource(provider, code)).rejects.toThrow(
      /only 0 of 50 generated configurations of strict_code are valid: give values.*\n.*at code/,
    );
    const result = await checkResource(provider, code, { values: { code: ["ABC-1234567"] } });
    expect(result.validCases).toBe(50);
    // The provider keeps no record, so that a read still finds a deleted object.
    expect([...result.outcomes.keys()]).toContain("the state is the only record of the object");
  });

  test("names the attributes of the schema where `values` has another one", async () => {
    const { provider } = notebook();
    await expect(checkResource(provider, "notebook_note", { values: { titel: ["a"] } })).rejects.toMatchObject({
      code: "OPTIONS_INVALID",
      message: expect.stringContaining('no attribute "titel"; it has body, folder') as string,
      stack: expect.stringMatching(/\n.*check-resource\.test\.ts/) as string,
    });
  });

  test.for<[unknown, string]>([
    [[], "values: the list of values of title is empty"],
    [[{ a: 1 }], "values: title cannot have this value: a string is required, not a record"],
    [() => 7, "values: title cannot have this value: a string is required, not a number"],
  ])("refuses the values %j", async ([values, message]) => {
    const { provider } = notebook();
    const check = checkResource(provider, "notebook_note", { values: { title: values as readonly unknown[] } });
    await expect(check).rejects.toMatchObject({ code: "OPTIONS_INVALID", message });
  });

  test.for(["", "g"])("accepts every expected error with the flags %j", async (flags) => {
    const definition = defineProvider({ name: "full", version: "1.0.0" });
    const note = definition.resource("note", {
      schema: { title: attr.string({ required: true }) },
      create: () => {
        throw new Error("the disk is full");
      },
      read: ({ state }) => state,
      update: ({ planned }) => planned,
      delete: () => {},
    });
    const allowErrors = new RegExp("disk is full", flags);
    const { outcomes } = await checkResource(definition.with([note]), note, { allowErrors, cases: 20 });
    expect([...outcomes.keys()].some((outcome) => outcome.includes("was refused"))).toBe(true);
  });
});
