// SPDX-License-Identifier: Apache-2.0
import { join } from "node:path";
import { toJs } from "@tenon/cty";
import { openWorkspace, type Plan } from "@tenon/engine";
import { objectFiles } from "@tenon/engine/configuration";
import { renderPlan, renderProgress } from "@tenon/engine/documents";
import { provider } from "@tenon/example-notebook";
import { createProvider } from "@tenon/provider-sdk";
import { milliseconds, type Screen } from "./screen.ts";

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

/** Plans and applies a configuration of two modules in this process, plans it again, and destroys everything. */
export async function runWholeConfiguration(screen: Screen, folder: string): Promise<void> {
  const workspace = openWorkspace({
    configuration: objectFiles(files),
    providers: { "tenon/notebook": async () => createProvider(provider) },
  });
  const variables = { path: join(folder, "engine.db") };
  const created = await workspace.plan({ variables });
  if (!created.errored) screen.block(renderPlan(created.changes, { color: screen.colors }).trimStart());
  screen.line();
  await apply(screen, created);
  const start = performance.now();
  await using again = await workspace.plan({ variables });
  screen.block(`a second plan, ${milliseconds(performance.now() - start)}: ${again.hasChanges ? "changes" : "no changes"}`);
  await again.close();
  await apply(screen, await workspace.plan({ variables, mode: "destroy" }));
}

/** Applies a plan with the lines of the command line for each step, and shows the outputs. */
async function apply(screen: Screen, plan: Plan): Promise<void> {
  await using _ = plan;
  if (plan.errored) throw new Error(plan.diagnostics.map(({ summary, detail }) => `${summary}: ${detail}`).join("\n"));
  const { outputs } = await plan.apply({
    onEvent: (event) => {
      const line = renderProgress(event, { color: screen.colors });
      if (line !== undefined) screen.block(line);
    },
  });
  for (const [name, { value }] of outputs) screen.block(`${name} = ${JSON.stringify(toJs(value))}`);
}
