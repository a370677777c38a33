// SPDX-License-Identifier: Apache-2.0
import { join } from "node:path";
import { of, string } from "@tenon/cty";
import { openWorkspace, type EngineEvent, type Plan } from "@tenon/engine";
import { formatResourceInstanceObject } from "@tenon/engine/address";
import { objectFiles } from "@tenon/engine/configuration";
import type { ChangeAction } from "@tenon/engine/plan";
import { provider } from "@tenon/example-notebook";
import { createProvider } from "@tenon/provider-sdk";
import { milliseconds, styled, type Screen } from "./screen.ts";

/** A configuration of two modules, as it would be in two folders. */
const files = {
  "main.tf": `
terraform {
  required_providers {
    notebook = { source = "tenon/notebook" }
  }
}

variable "path" { type = string }

provider "notebook" {
  path = var.path
}

locals {
  recipes = { rye = "Rye, water, salt.", wheat = "Wheat, water, salt." }
}

module "recipe" {
  source   = "./recipe"
  for_each = local.recipes
  name     = each.key
  text     = each.value
}

output "notes" {
  value = { for name, recipe in module.recipe : name => recipe.note }
}
`,
  "recipe/main.tf": `
terraform {
  required_providers {
    notebook = { source = "tenon/notebook" }
  }
}

variable "name" { type = string }
variable "text" { type = string }

resource "notebook_note" "this" {
  title  = title(var.name)
  body   = var.text
  folder = "recipes"
}

resource "notebook_page" "steps" {
  count   = 2
  note_id = notebook_note.this.id
  text    = "Step \${count.index + 1}"
}

output "note" { value = notebook_note.this.id }
`,
};

const symbols: Readonly<Record<ChangeAction, string>> = {
  noOp: " ",
  create: "+",
  read: "≤",
  update: "~",
  delete: "-",
  forget: ".",
  deleteThenCreate: "-/+",
  createThenDelete: "+/-",
  forgetThenCreate: "./+",
};

/** Plans and applies a configuration of two modules in this process, plans it again, and destroys everything. */
export async function runWholeConfiguration(screen: Screen, folder: string): Promise<void> {
  const workspace = openWorkspace({
    configuration: objectFiles(files),
    providers: { "tenon/notebook": async () => createProvider(provider) },
  });
  const variables = { path: of(string, join(folder, "engine.db")) };
  await apply(screen, await workspace.plan({ variables }));
  const start = performance.now();
  await using again = await workspace.plan({ variables });
  screen.block(`a second plan after ${milliseconds(performance.now() - start)}: ${again.hasChanges ? "changes" : "no changes"}`);
  await again.close();
  await apply(screen, await workspace.plan({ variables, mode: "destroy" }));
}

async function apply(screen: Screen, plan: Plan): Promise<void> {
  await using _ = plan;
  if (plan.errored) throw new Error(plan.diagnostics.map(({ summary, detail }) => `${summary}: ${detail}`).join("\n"));
  for (const { address, action } of plan.changes.resources) {
    screen.block(`${styled(action === "delete" ? "red" : "green", symbols[action])} ${formatResourceInstanceObject(address)}`);
  }
  const shown: EngineEvent[] = [];
  const { outputs, state } = await screen.during(
    () => `applying, ${shown.length} of ${plan.changes.resources.length} done`,
    () => plan.apply({ onEvent: (event) => void (event.type === "applyEnded" && shown.push(event)) }),
    () => `applied ${shown.length} changes`,
  );
  const notes = outputs.get("notes");
  screen.block(`${state.resources.size} resources in the state${notes === undefined ? "" : ", and the output notes"}`);
}
