// SPDX-License-Identifier: Apache-2.0
// Cases over the notebook: the steps of a case, the checks of plans and states, and how each fails.
import { join } from "node:path";
import { provider } from "@tenon/example-notebook";
import { Notebook } from "@tenon/example-notebook/store";
import {
  compareValue,
  compareValueCollection,
  compareValuePairs,
  configStep,
  expectEmptyPlan,
  expectKnownOutputValue,
  expectKnownOutputValueAtPath,
  expectKnownValue,
  expectNoDeferredChanges,
  expectNonEmptyPlan,
  expectNullOutputValue,
  expectNullOutputValueAtPath,
  expectResourceAction,
  expectSensitiveValue,
  expectUnknownOutputValue,
  expectUnknownOutputValueAtPath,
  expectUnknownValue,
  importStep,
  refreshStep,
  requireAbove,
  skipBelow,
  type Step,
  type TestCase,
  valuesDiffer,
  valuesSame,
} from "@tenon/testing";
import {
  listPartial,
  listSizeExact,
  mapPartial,
  mapSizeExact,
  notNull,
  nullExact,
  numberFunc,
  objectExact,
  objectPartial,
  setExact,
  setPartial,
  setSizeExact,
  stringFunc,
  stringRegexp,
} from "@tenon/testing/known-value";
import type { SuiteCase } from "./suite-case.ts";

const fileOf = (folder: string): string => join(folder, "notes.db");

function inNotebook(folder: string, change: (notebook: Notebook) => unknown): () => Promise<void> {
  return async () => {
    const notebook = new Notebook(fileOf(folder));
    try {
      await change(notebook);
    } finally {
      notebook.close();
    }
  };
}

const note = (attributes = ""): string => `resource "notebook_note" "a" {\n  title = "Bread"\n${attributes}}\n`;

type Config = (body: string) => string;

function steps(create: (config: Config, folder: string) => readonly Step[], more: Partial<TestCase> = {}): (folder: string) => TestCase {
  return (folder) => {
    const config = (body: string): string => `provider "notebook" {\n  path = "${fileOf(folder)}"\n}\n${body}`;
    return { providers: { notebook: provider }, steps: create(config, folder), ...more };
  };
}

/** A passing case and a failing one for each check. */
const planChecks: readonly SuiteCase[] = [
  {
    name: "expectEmptyPlan passes",
    create: steps((config) => [configStep(config(note())), configStep(config(note()), { planChecks: [expectEmptyPlan()] })]),
  },
  {
    name: "expectEmptyPlan fails",
    create: steps((config) => [configStep(config(note()), { planChecks: [expectEmptyPlan()] })]),
    fails: [
      "expectEmptyPlan (preApply)",
      "  the plan must be empty, but has these changes:\n    notebook_note.a: create",
      "main.tf:\n",
      "Plan:",
    ],
  },
  {
    name: "expectNonEmptyPlan passes",
    create: steps((config) => [configStep(config(note()), { planChecks: [expectNonEmptyPlan()] })]),
  },
  {
    name: "expectNonEmptyPlan fails",
    create: steps((config) => [configStep(config(note()), { planChecks: { postApplyPostRefresh: [expectNonEmptyPlan()] } })]),
    fails: ["expectNonEmptyPlan (postApplyPostRefresh)", "the plan must have changes, but is empty"],
  },
  {
    name: "expectResourceAction passes",
    create: steps((config) => [
      configStep(config(note()), { planChecks: [expectResourceAction("notebook_note.a", "Create")] }),
      configStep(config(note('  body = "Flour"\n')), {
        planChecks: {
          preApply: [expectResourceAction("notebook_note.a", "Update")],
          postApplyPreRefresh: [expectResourceAction("notebook_note.a", "NoOp")],
        },
      }),
      configStep(config(note('  folder = "b"\n')), { planChecks: [expectResourceAction("notebook_note.a", "DestroyBeforeCreate")] }),
      configStep(config(note('  folder = "c"\n  lifecycle {\n    create_before_destroy = true\n  }\n')), {
        planChecks: [expectResourceAction("notebook_note.a", "CreateBeforeDestroy"), expectResourceAction("notebook_note.a", "Replace")],
      }),
      configStep(config(""), { planChecks: [expectResourceAction("notebook_note.a", "Destroy")] }),
    ]),
  },
  {
    name: "expectResourceAction fails",
    create: steps((config) => [configStep(config(note()), { planChecks: [expectResourceAction("notebook_note.a", "Update")] })]),
    fails: ["notebook_note.a must have the action Update, but has Create", '+ resource "notebook_note" "a"'],
  },
  {
    name: "expectResourceAction fails for a resource that the plan lacks",
    create: steps((config) => [configStep(config(note()), { planChecks: [expectResourceAction("notebook_note.b", "Create")] })]),
    fails: ["the plan has no resource notebook_note.b: it has notebook_note.a"],
  },
  {
    name: "expectKnownValue of a plan fails for an unknown value",
    create: steps((config) => [configStep(config(note()), { planChecks: [expectKnownValue("notebook_note.a", "id", "1")] })]),
    fails: ["notebook_note.a.id must be known in the plan, but is unknown"],
  },
  {
    name: "expectUnknownValue passes",
    create: steps((config) => [configStep(config(note()), { planChecks: [expectUnknownValue("notebook_note.a", "id")] })]),
  },
  {
    name: "expectUnknownValue fails",
    create: steps((config) => [configStep(config(note()), { planChecks: [expectUnknownValue("notebook_note.a", "title")] })]),
    fails: ["notebook_note.a.title must be unknown in the plan, but is known"],
  },
  {
    name: "expectSensitiveValue passes",
    create: steps((config) => [
      configStep(config(note('  passphrase = "open sesame"\n')), {
        planChecks: [expectSensitiveValue("notebook_note.a", "passphrase")],
        stateChecks: [expectSensitiveValue("notebook_note.a", "passphrase")],
      }),
    ]),
  },
  {
    name: "expectSensitiveValue fails, without the secret",
    create: steps((config) => [
      configStep(config(note('  passphrase = "open sesame"\n')), { stateChecks: [expectSensitiveValue("notebook_note.a", "title")] }),
    ]),
    fails: ["notebook_note.a.title must be sensitive, but is not", "passphrase = (sensitive value)", "passphrase = (sensitive value)"],
  },
  {
    name: "expectKnownOutputValue passes",
    create: steps((config) => [
      configStep(config('output "all" {\n  value = { titles = ["Bread"], none = null }\n}\n'), {
        planChecks: [
          expectKnownOutputValue("all", { titles: ["Bread"], none: null }),
          expectKnownOutputValueAtPath("all", ["titles", 0], "Bread"),
          expectNullOutputValueAtPath("all", "none"),
        ],
        stateChecks: [
          expectKnownOutputValue("all", objectPartial({ titles: ["Bread"] })),
          expectKnownOutputValueAtPath("all", ["titles", 0], "Bread"),
        ],
      }),
    ]),
  },
  {
    name: "expectKnownOutputValue fails",
    create: steps((config) => [
      configStep(config('output "title" {\n  value = "Bread"\n}\n'), { planChecks: [expectKnownOutputValue("title", "Rye")] }),
    ]),
    fails: ['output.title differs:\n    expected: "Rye"\n    actual:   "Bread"'],
  },
  {
    name: "expectKnownOutputValueAtPath fails",
    create: steps((config) => [
      configStep(config('output "titles" {\n  value = ["Bread"]\n}\n'), {
        stateChecks: [expectKnownOutputValueAtPath("titles", [0], "Rye")],
      }),
    ]),
    fails: ['output.titles[0] differs:\n    expected: "Rye"\n    actual:   "Bread"'],
  },
  {
    name: "expectUnknownOutputValue passes",
    create: steps((config) => [
      configStep(
        config(`${note()}output "id" {\n  value = notebook_note.a.id\n}\noutput "all" {\n  value = { id = notebook_note.a.id }\n}\n`),
        {
          planChecks: [expectUnknownOutputValue("id"), expectUnknownOutputValueAtPath("all", "id")],
        },
      ),
    ]),
  },
  {
    name: "expectUnknownOutputValue fails",
    create: steps((config) => [configStep(config('output "id" {\n  value = 1\n}\n'), { planChecks: [expectUnknownOutputValue("id")] })]),
    fails: ["output.id must be unknown in the plan, but is known"],
  },
  {
    name: "expectUnknownOutputValueAtPath fails",
    create: steps((config) => [
      configStep(config('output "all" {\n  value = { id = 1 }\n}\n'), { planChecks: [expectUnknownOutputValueAtPath("all", "id")] }),
    ]),
    fails: ["output.all.id must be unknown in the plan, but is known"],
  },
  {
    name: "expectNullOutputValue fails",
    create: steps((config) => [configStep(config('output "id" {\n  value = 1\n}\n'), { planChecks: [expectNullOutputValue("id")] })]),
    fails: ["output.id differs:\n    expected: null\n    actual:   1"],
  },
  {
    name: "expectNullOutputValueAtPath fails",
    create: steps((config) => [
      configStep(config('output "all" {\n  value = { id = 1 }\n}\n'), { planChecks: [expectNullOutputValueAtPath("all", "id")] }),
    ]),
    fails: ["output.all.id differs:\n    expected: null\n    actual:   1"],
  },
  {
    name: "expectNoDeferredChanges passes",
    create: steps((config) => [configStep(config(note()), { planChecks: [expectNoDeferredChanges()] })]),
  },
];

const stateChecks: readonly SuiteCase[] = [
  {
    name: "expectKnownValue passes",
    create: steps((config) => [
      configStep(
        config(
          `${note('  tags = { rise = "slow", flour = "rye" }\n')}resource "notebook_page" "p" {\n  note_id = notebook_note.a.id\n  text = "Mix."\n  labels = ["warm", "dry"]\n  layout = { paper = "a4" }\n}\n`,
        ),
        {
          planChecks: [expectKnownValue("notebook_note.a", "title", "Bread")],
          stateChecks: [
            expectKnownValue("notebook_note.a", "revision", 1),
            expectKnownValue("notebook_note.a", "body", nullExact()),
            expectKnownValue("notebook_note.a", "id", notNull()),
            expectKnownValue("notebook_note.a", "title", stringRegexp(/^Br/)),
            expectKnownValue(
              "notebook_note.a",
              "title",
              stringFunc((title) => title.length === 5),
            ),
            expectKnownValue(
              "notebook_note.a",
              "revision",
              numberFunc((revision) => revision > 0),
            ),
            expectKnownValue("notebook_note.a", "tags", { flour: "rye", rise: "slow" }),
            expectKnownValue("notebook_note.a", "tags", mapPartial({ rise: stringRegexp(/slow|fast/) })),
            expectKnownValue("notebook_note.a", "tags", mapSizeExact(2)),
            expectKnownValue("notebook_page.p", "labels", setExact(["warm", "dry"])),
            expectKnownValue("notebook_page.p", "labels", setPartial([stringRegexp(/^w/)])),
            expectKnownValue("notebook_page.p", "labels", setSizeExact(2)),
            expectKnownValue("notebook_page.p", "layout", objectExact({ columns: 1, paper: "a4" })),
            expectKnownValue("notebook_page.p", ["layout", "columns"], 1),
          ],
        },
      ),
    ]),
  },
  {
    name: "expectKnownValue fails with each difference",
    create: steps((config) => [
      configStep(config(note('  tags = { rise = "slow", flour = "rye" }\n')), {
        stateChecks: [expectKnownValue("notebook_note.a", "tags", { rise: "fast", salt: "2 %" })],
      }),
    ]),
    fails: [
      'notebook_note.a.tags.rise differs:\n    expected: "fast"\n    actual:   "slow"',
      'notebook_note.a.tags.salt differs:\n    expected: "2 %"\n    actual:   (none)',
      'notebook_note.a.tags.flour differs:\n    expected: no such name\n    actual:   "rye"',
    ],
  },
  {
    name: "expectKnownValue fails without the value of a sensitive attribute",
    create: steps((config) => [
      configStep(config(note('  passphrase = "open sesame"\n')), {
        stateChecks: [expectKnownValue("notebook_note.a", "passphrase", "closed")],
      }),
    ]),
    fails: ["notebook_note.a.passphrase differs:\n    expected: (sensitive value)\n    actual:   (sensitive value)"],
  },
  {
    name: "expectKnownValue fails for a resource that the state lacks",
    create: steps((config) => [configStep(config(note()), { stateChecks: [expectKnownValue("notebook_note.b", "title", "Bread")] })]),
    fails: ["the state has no resource notebook_note.b: it has notebook_note.a"],
  },
  {
    name: "expectKnownValue fails with the error of a predicate",
    create: steps((config) => [
      configStep(config(note()), {
        stateChecks: [
          expectKnownValue(
            "notebook_note.a",
            "title",
            stringFunc((title) => {
              throw new Error(`${title} has no crust`);
            }),
          ),
        ],
      }),
    ]),
    fails: ['expected: a string that the predicate accepts\n    actual:   "Bread"\n    reason:   Bread has no crust'],
  },
  {
    name: "expectKnownValue fails for an element of a list",
    create: steps((config) => [
      configStep(config(`${note()}data "notebook_search" "s" {\n  text = notebook_note.a.title\n}\n`), {
        stateChecks: [
          expectKnownValue("data.notebook_search.s", "notes", listSizeExact(1)),
          expectKnownValue("data.notebook_search.s", "notes", listPartial({ 0: objectPartial({ title: "Rye" }) })),
        ],
      }),
    ]),
    fails: ['data.notebook_search.s.notes[0].title differs:\n    expected: "Rye"\n    actual:   "Bread"'],
  },
  {
    name: "compareValue passes",
    create: steps((config) => {
      const ids = compareValue(valuesSame());
      const revisions = compareValue(valuesDiffer());
      const stateChecks = () => [ids.addStateValue("notebook_note.a", "id"), revisions.addStateValue("notebook_note.a", "revision")];
      return [
        configStep(config(note()), { stateChecks: stateChecks() }),
        configStep(config(note('  body = "x"\n')), { stateChecks: stateChecks() }),
      ];
    }),
  },
  {
    name: "compareValue fails",
    create: steps((config) => {
      const revisions = compareValue(valuesSame());
      const stateChecks = () => [revisions.addStateValue("notebook_note.a", "revision")];
      return [
        configStep(config(note()), { stateChecks: stateChecks() }),
        configStep(config(note('  body = "x"\n')), { stateChecks: stateChecks() }),
      ];
    }),
    fails: ["step 2 of 2", "the values of notebook_note.a.revision over the steps must be the same:\n    1\n    2"],
  },
  {
    name: "compareValuePairs passes and fails",
    create: steps((config) => [
      configStep(config(note()), {
        stateChecks: [
          compareValuePairs("notebook_note.a", "title", "notebook_note.a", "folder", valuesDiffer()),
          compareValuePairs("notebook_note.a", "title", "notebook_note.a", "folder", valuesSame()),
        ],
      }),
    ]),
    fails: ['notebook_note.a.title and notebook_note.a.folder must be the same:\n    "Bread"\n    "inbox"'],
  },
  {
    name: "compareValueCollection passes and fails",
    create: steps((config) => [
      configStep(config(`${note()}data "notebook_search" "s" {\n  text = notebook_note.a.title\n}\n`), {
        stateChecks: [
          compareValueCollection("data.notebook_search.s", ["notes", "title"], "notebook_note.a", "title", valuesSame()),
          compareValueCollection("data.notebook_search.s", ["notes", "folder"], "notebook_note.a", "title", valuesSame()),
        ],
      }),
    ]),
    fails: [
      'an element of data.notebook_search.s.notes.folder and notebook_note.a.title must be the same:\n    elements: ["inbox"]\n    value:    "Bread"',
    ],
  },
];

const stepKinds: readonly SuiteCase[] = [
  {
    name: "configurations are objects, files and variables",
    create: steps((_, folder) => {
      const body = {
        provider: { notebook: { path: fileOf(folder) } },
        resource: { notebook_note: { a: { title: "${var.title}" } } },
        variable: { title: {} },
      };
      const module = {
        "main.tf.json": { ...body, module: { child: { source: "./child" } } },
        "child/main.tf": 'output "x" {\n  value = 1\n}\n',
      };
      const expected = (title: string) => ({ stateChecks: [expectKnownValue("notebook_note.a", "title", title)] });
      return [
        configStep(body, { variables: { title: "Bread" }, ...expected("Bread") }),
        configStep({ files: module }, expected("Bread")),
        configStep({ files: module }, { variables: { title: "Rye" }, ...expected("Rye") }),
      ];
    }),
  },
  {
    name: "planOnly plans and applies nothing",
    create: steps((config, folder) => [
      configStep(config(note()), { planOnly: true, expectNonEmptyPlan: true }),
      configStep(config(note()), {
        planChecks: [expectResourceAction("notebook_note.a", "Create")],
        postApply: inNotebook(folder, (notebook) => {
          if (notebook.searchNotes("Bread", null).length !== 1) throw new Error("the note must exist once");
        }),
      }),
      configStep(config(note()), { planOnly: true }),
    ]),
  },
  {
    name: "planOnly fails for a plan with changes",
    create: steps((config) => [configStep(config(note())), configStep(config(note('  body = "x"\n')), { planOnly: true })]),
    fails: [
      "step 2 of 2 (config,",
      "failed: plan\n",
      "the plan must be empty, but has these changes:\n    notebook_note.a: update",
      'body     = "x"',
    ],
  },
  {
    name: "destroy destroys all objects",
    create: steps((config) => [
      configStep(config(note())),
      configStep(config(note()), { destroy: true, planChecks: [expectResourceAction("notebook_note.a", "Destroy")] }),
    ]),
  },
  {
    name: "taint replaces an object",
    create: steps((config) => [
      configStep(config(note())),
      configStep(config(note()), { taint: ["notebook_note.a"], planChecks: [expectResourceAction("notebook_note.a", "Replace")] }),
    ]),
  },
  {
    name: "expectError meets an error of validation",
    create: steps((config) => [
      configStep(config('resource "notebook_note" "a" {\n  title = ""\n}\n'), { expectError: /title: between 1 and 80 characters|title/ }),
    ]),
  },
  {
    name: "expectError fails if there is no error",
    create: steps((config) => [configStep(config(note()), { expectError: /no such thing/ })]),
    fails: ["the step must fail with an error that matches /no such thing/, but succeeds"],
  },
  {
    name: "expectError fails for another error",
    create: steps((config) => [configStep(config('resource "notebook_note" "a" {\n}\n'), { expectError: /no such thing/ })]),
    fails: ["with another error than /no such thing/", 'The argument "title" is required, but no definition was found'],
  },
  {
    name: "an error of the configuration fails with its lines",
    create: steps((config) => [configStep(config('resource "notebook_note" "a" {\n  titel = "x"\n}\n'))]),
    fails: ["step 1 of 1 (config,", "failed: plan", "Unsupported argument", 'titel = "x"', "main.tf:", '5 │   titel = "x"'],
  },
  {
    name: "an error of the apply fails, and the objects are destroyed",
    create: steps((config) => [
      configStep(config(`${note()}resource "notebook_page" "p" {\n  note_id = notebook_note.a.id\n  text = "x"\n  labels = ["LOUD"]\n}\n`)),
    ]),
    fails: ["failed: apply", "labels are lower case"],
  },
  {
    name: "a change outside is found by a refresh",
    create: steps((config, folder) => [
      configStep(config(note())),
      refreshStep({
        preConfig: inNotebook(folder, (notebook) =>
          notebook.changeNote("1", { title: "Rye", folder: "inbox", body: null, tags: null, passphrase: null }),
        ),
        stateChecks: [expectKnownValue("notebook_note.a", "title", "Rye")],
        planChecks: [expectResourceAction("notebook_note.a", "Update")],
        expectNonEmptyPlan: true,
      }),
    ]),
  },
  {
    name: "a refresh fails if the plan after it has changes",
    create: steps((config, folder) => [
      configStep(config(note())),
      refreshStep({ preConfig: inNotebook(folder, (notebook) => notebook.removeNote("1")) }),
    ]),
    fails: ["step 2 of 2 (refresh,", "plan after the refresh", "notebook_note.a: create"],
  },
  {
    name: "imports verify the object",
    create: steps((config) => [
      configStep(config(note('  tags = { rise = "slow" }\n'))),
      importStep("notebook_note.a"),
      importStep("notebook_note.a", { id: ({ values }) => values!.root_module!.resources![0]!.values["id"] as string }),
      importStep("notebook_note.a", { kind: "block", planChecks: [expectResourceAction("notebook_note.a", "NoOp")] }),
    ]),
  },
  {
    name: "an import of another object fails with the differences",
    create: steps((config, folder) => [
      configStep(config(note('  passphrase = "open sesame"\n'))),
      importStep("notebook_note.a", {
        id: "2",
        verifyIgnore: ["id"],
        preConfig: inNotebook(folder, (notebook) =>
          notebook.createNote({ title: "Rye", folder: "inbox", body: null, tags: { rise: "slow" }, passphrase: "secret" }),
        ),
      }),
    ]),
    fails: [
      "step 2 of 2 (import,",
      "the imported notebook_note.a differs from the one in the state:",
      "passphrase\n      state:    (sensitive value)\n      imported: (sensitive value)",
      'tags\n      state:    null\n      imported: { "rise": "slow" }',
      'title\n      state:    "Bread"\n      imported: "Rye"',
    ],
  },
  {
    name: "an import of an object that does not exist fails",
    create: steps((config) => [
      configStep(config(note())),
      importStep("notebook_note.a", { id: "7", expectError: /non-existent remote object/ }),
    ]),
  },
  {
    name: "an import block that changes the object fails",
    create: steps((config) => [
      configStep(config(note())),
      importStep("notebook_note.a", { kind: "block", config: config(note('  body = "x"\n')) }),
    ]),
    fails: ["the import of notebook_note.a must change nothing, but has these actions: update"],
  },
  {
    name: "an import persists",
    create: steps((config, folder) => [
      importStep("notebook_note.a", {
        config: config(note()),
        id: "1",
        persist: true,
        preConfig: inNotebook(folder, (notebook) =>
          notebook.createNote({ title: "Bread", folder: "inbox", body: null, tags: null, passphrase: null }),
        ),
      }),
      configStep(config(note()), { planChecks: [expectEmptyPlan()] }),
    ]),
  },
  {
    name: "an import generates configuration",
    create: steps((config, folder) => [
      importStep("notebook_note.a", {
        kind: "block",
        config: config(""),
        id: "1",
        persist: true,
        generateConfiguration: true,
        verify: false,
        preConfig: inNotebook(folder, (notebook) =>
          notebook.createNote({ title: "Bread", folder: "inbox", body: null, tags: null, passphrase: null }),
        ),
        checkGenerated: (text) => {
          if (!/resource "notebook_note" "a" \{[^]*title\s+= "Bread"/.test(text)) throw new Error(text);
        },
      }),
    ]),
  },
  {
    name: "a version condition is met, and checkDestroy sees the state before",
    create: (folder) =>
      steps((config) => [configStep(config(note()))], {
        versionChecks: [skipBelow("1.0.0"), requireAbove({ opentofu: "1.6.0", terraform: "1.8.0" })],
        checkDestroy: async (state) => {
          if (state.values?.root_module?.resources?.length !== 1) throw new Error("the state before must have the note");
          await inNotebook(folder, (notebook) => {
            if (notebook.searchNotes("", null).length > 0) throw new Error("the note still exists");
          })();
        },
      })(folder),
  },
  {
    name: "a version condition that is not met fails",
    create: steps((config) => [configStep(config(note()))], { versionChecks: [requireAbove("99.0.0")] }),
    fails: [/the case needs at least (OpenTofu|Terraform) 99\.0\.0, not (OpenTofu|Terraform) 1\./],
  },
  {
    name: "checks may be functions that throw",
    create: steps((config) => [
      configStep(config(note()), {
        stateChecks: [
          () => {
            throw new Error("from a function");
          },
        ],
      }),
    ]),
    fails: ["from a function"],
  },
  {
    name: "objects that cannot be destroyed are named",
    create: steps((config) => [configStep(config(note("  lifecycle {\n    prevent_destroy = true\n  }\n")))]),
    fails: ["the end of the case", "the objects could not be destroyed, and may still exist:", "prevent_destroy"],
    hasCoreError: true,
  },
];

/** The cases over the notebook. */
export const notebookCases: readonly SuiteCase[] = [...planChecks, ...stateChecks, ...stepKinds];
