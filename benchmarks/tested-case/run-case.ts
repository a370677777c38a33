// SPDX-License-Identifier: Apache-2.0
// Runs a case of three steps several times, and prints the durations in milliseconds as JSON. Arguments: the runner, the number of runs. It runs in a
// folder with the built packages.
import { attr, defineProvider, importById } from "@tenon/provider-sdk";
import { useStateForUnknown } from "@tenon/provider-sdk/plan-modifiers";
import { configStep, expectKnownValue, expectResourceAction, importStep, runTestCase } from "@tenon/testing";

const [runner = "in-process", runs = "1"] = process.argv.slice(2);

interface Note {
  readonly id: string;
  readonly title: string;
  readonly body: string | null;
  readonly revision: number;
}

const notes = new Map<string, Note>();
const definition = defineProvider({ name: "notebook", version: "1.0.0" });
const note = definition.resource("note", {
  schema: {
    id: attr.string({ computed: true, planModifiers: [useStateForUnknown()] }),
    title: attr.string({ required: true }),
    body: attr.string({ optional: true }),
    revision: attr.number({ computed: true }),
  },
  create: ({ planned: { title, body } }) => {
    const created: Note = { id: `note-${title}`, title, body, revision: 1 };
    notes.set(created.id, created);
    return created;
  },
  read: ({ state }) => notes.get(state.id),
  update: ({ planned: { title, body }, state }) => {
    const changed: Note = { id: state.id, title, body, revision: state.revision + 1 };
    notes.set(changed.id, changed);
    return changed;
  },
  delete: ({ state }) => void notes.delete(state.id),
  importState: importById("id"),
});

const config = (body: string): string => `resource "notebook_note" "a" {\n  title = "Bread"\n  body  = "${body}"\n}\n`;
const durations: number[] = [];
for (let run = 0; run < Number(runs); run += 1) {
  const start = performance.now();
  const result = await runTestCase({
    providers: { notebook: definition.with([note]) },
    runner,
    steps: [
      configStep(config("rye"), {
        planChecks: [expectResourceAction("notebook_note.a", "Create")],
        stateChecks: [expectKnownValue("notebook_note.a", "revision", 1)],
      }),
      configStep(config("wheat"), {
        planChecks: [expectResourceAction("notebook_note.a", "Update")],
        stateChecks: [expectKnownValue("notebook_note.a", "revision", 2)],
      }),
      importStep("notebook_note.a"),
    ],
  });
  if (result.status !== "passed" || notes.size > 0) throw new Error(`the case must pass and delete its note: ${JSON.stringify(result)}`);
  durations.push(performance.now() - start);
}
console.log(JSON.stringify(durations));
