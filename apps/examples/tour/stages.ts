// SPDX-License-Identifier: Apache-2.0
import type { ConfiguredResource } from "./managed-resources.ts";

/** The configurations of the notebook, by stage. Each stage is a complete configuration. */
export const stages: Readonly<Record<"created" | "changedInPlace" | "replaced", readonly ConfiguredResource[]>> = {
  created: [
    note("bread", { title: "Bread", body: "Flour, water, salt.", tags: { rise: "slow" }, passphrase: "levain" }),
    page("first", "bread", { text: "Mix, and wait.", layout: { paper: "a5" }, labels: ["warm", "wet"] }),
  ],
  changedInPlace: [
    note("bread", { title: "Rye bread", body: "Rye, water, salt.", tags: { rise: "slow", crust: "dark" }, passphrase: "levain 2" }),
    page("first", "bread", { text: "Mix, and wait.", layout: { paper: "a5", columns: 2 }, labels: ["warm", "sour"] }),
  ],
  replaced: [
    note("bread", {
      title: "Rye bread",
      folder: "recipes",
      body: "Rye, water, salt.",
      tags: { rise: "slow", crust: "dark" },
      passphrase: "levain 2",
    }),
    page("first", "bread", { text: "Mix, and wait.", layout: { paper: "a5", columns: 2 }, labels: ["warm", "sour"] }),
  ],
};

export function note(name: string, fields: Readonly<Record<string, unknown>>): ConfiguredResource {
  return { typeName: "notebook_note", name, config: () => fields };
}

/** Configures a page of the note named `of`. */
function page(name: string, of: string, fields: Readonly<Record<string, unknown>>): ConfiguredResource {
  return { typeName: "notebook_page", name, config: (reference) => ({ ...fields, note_id: reference(`notebook_note.${of}`, "id") }) };
}
