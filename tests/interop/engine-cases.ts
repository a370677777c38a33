// SPDX-License-Identifier: Apache-2.0
import { readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { PlanOptions } from "@tenon/engine";

/** A plan and an apply of a configuration. */
export interface EngineStep {
  readonly files: Readonly<Record<string, string>>;
  readonly options?: Pick<PlanOptions, "mode" | "targets" | "excludes" | "replace" | "refresh">;
  /** Changes objects before the step, so that the step finds drift. Gets the folder with the provider's objects. */
  readonly before?: (shelf: string) => void;
}

/** Steps that each start from the state of the step before. */
export interface EngineCase {
  readonly name: string;
  readonly steps: readonly EngineStep[];
}

const head = `
terraform {
  required_providers {
    shelf = { source = "tenon/shelf" }
  }
}
variable "folder" { type = string }
provider "shelf" { folder = var.folder }
`;

const childHead = `
terraform {
  required_providers {
    shelf = { source = "tenon/shelf" }
  }
}
`;

function main(text: string, more: Readonly<Record<string, string>> = {}): Readonly<Record<string, string>> {
  return { "main.tf": head + text, ...more };
}

/** Changes attributes of an object, as if outside of OpenTofu. */
function changed(name: string, change: Readonly<Record<string, unknown>>): (shelf: string) => void {
  return (shelf) => {
    const path = join(shelf, `item-${name}.json`);
    writeFileSync(path, JSON.stringify({ ...(JSON.parse(readFileSync(path, "utf8")) as object), ...change }));
  };
}

function removed(name: string): (shelf: string) => void {
  return (shelf) => rmSync(join(shelf, `item-${name}.json`));
}

const pair = (value: string): string => `
resource "shelf_item" "a" {
  name  = "a"
  value = "${value}"
}
resource "shelf_item" "b" {
  name  = "b"
  value = shelf_item.a.upper
}
output "b" { value = shelf_item.b.value }
`;

export const engineCases: readonly EngineCase[] = [
  {
    name: "create, no-op, update, destroy",
    steps: [
      { files: main(pair("one")) },
      { files: main(pair("one")) },
      { files: main(pair("two")) },
      { files: main(pair("two")), options: { mode: "destroy" } },
    ],
  },
  {
    name: "replacement of a resource and of what depends on it",
    steps: [
      { files: main('resource "shelf_item" "a" { name = "a" }\nresource "shelf_item" "b" { name = "b-${shelf_item.a.id}" }') },
      { files: main('resource "shelf_item" "a" { name = "c" }\nresource "shelf_item" "b" { name = "b-${shelf_item.a.id}" }') },
      { files: main('resource "shelf_item" "b" { name = "b" }') },
    ],
  },
  {
    name: "create_before_destroy",
    steps: [
      {
        files: main(
          'resource "shelf_item" "a" { name = "a" }\nresource "shelf_item" "b" {\n  name = "b-${shelf_item.a.id}"\n  lifecycle {\n    create_before_destroy = true\n  }\n}',
        ),
      },
      {
        files: main(
          'resource "shelf_item" "a" { name = "c" }\nresource "shelf_item" "b" {\n  name = "b-${shelf_item.a.id}"\n  lifecycle {\n    create_before_destroy = true\n  }\n}',
        ),
      },
    ],
  },
  {
    name: "count, for_each and modules",
    steps: [
      [2, '["x", "y"]'],
      [3, '["y", "z"]'],
      [1, "[]"],
    ].map(([count, keys]) => ({
      files: main(
        `
resource "shelf_item" "counted" {
  count = ${count}
  name  = "counted-\${count.index}"
}
resource "shelf_item" "each" {
  for_each = toset(${keys})
  name     = "each-\${each.key}"
  value    = each.value
}
module "m" {
  source   = "./m"
  for_each = toset(${keys})
  prefix   = each.key
  parents  = shelf_item.counted[*].id
}
output "ids" { value = { for k, m in module.m : k => m.ids } }
`,
        {
          "m/main.tf": `${childHead}
variable "prefix" { type = string }
variable "parents" { type = list(string) }
resource "shelf_item" "inner" {
  count = length(var.parents)
  name  = "\${var.prefix}-\${count.index}"
  value = var.parents[count.index]
}
output "ids" { value = shelf_item.inner[*].id }
`,
        },
      ),
    })),
  },
  {
    name: "drift, refresh-only plans and objects that are gone",
    steps: [
      { files: main(pair("one")) },
      { files: main(pair("one")), before: changed("a", { value: "drifted", upper: "DRIFTED" }) },
      { files: main(pair("one")), before: changed("b", { size: 3 }), options: { mode: "refreshOnly" } },
      { files: main(pair("one")), before: removed("a") },
      { files: main(pair("one")), before: removed("b"), options: { mode: "refreshOnly" } },
      { files: main(pair("three")), options: { refresh: false } },
    ],
  },
  {
    name: "sensitive values",
    steps: ["s1", "s2"].map((secret) => ({
      files: main(`
variable "secret" {
  default   = "${secret}"
  sensitive = true
}
resource "shelf_item" "a" {
  name   = "a"
  value  = var.secret
  secret = "plain"
  tags   = { open = "1", closed = var.secret }
}
resource "shelf_item" "b" {
  name  = "b"
  value = nonsensitive(var.secret)
  tags  = { copy = shelf_item.a.secret }
}
output "secret" {
  value     = shelf_item.a.tags
  sensitive = true
}
`),
    })),
  },
  {
    name: "data sources that are read at once and later",
    steps: [
      {
        files: main(`
resource "shelf_item" "a" {
  name  = "a"
  value = "v"
}
data "shelf_lookup" "now" { name = "nothing" }
data "shelf_lookup" "later" { name = shelf_item.a.upper }
data "shelf_lookup" "depends" {
  name       = "a"
  depends_on = [shelf_item.a]
}
resource "shelf_item" "b" {
  name  = "b"
  value = data.shelf_lookup.depends.value
}
output "later" { value = data.shelf_lookup.later }
`),
      },
      {
        files: main(`
resource "shelf_item" "a" {
  name  = "a"
  value = "v"
}
data "shelf_lookup" "now" { name = "a" }
data "shelf_lookup" "depends" {
  name       = "a"
  depends_on = [shelf_item.a]
}
resource "shelf_item" "b" {
  name  = "b"
  value = data.shelf_lookup.depends.value
}
`),
      },
    ],
  },
  {
    name: "failures half way",
    steps: [
      { files: main(pair("fail-create")) },
      { files: main(pair("one")) },
      { files: main(pair("fail-update")) },
      { files: main(pair("fail-delete")) },
      { files: main(""), options: {} },
      { files: main(pair("two")) },
      { files: main(""), options: { mode: "destroy" } },
    ],
  },
  {
    name: "targets, exclusions and forced replacements",
    steps: [
      { files: main(pair("one")), options: { targets: ["shelf_item.a"] } },
      { files: main(pair("one")), options: { excludes: ["shelf_item.b"] } },
      { files: main(pair("one")) },
      { files: main(pair("one")), options: { replace: ["shelf_item.a"] } },
      { files: main(pair("one")), options: { mode: "destroy", targets: ["shelf_item.a"] } },
    ],
  },
  {
    name: "lifecycle arguments",
    steps: ["1", "2"].map((version) => ({
      files: main(`
resource "shelf_item" "a" {
  name  = "a"
  value = "v${version}"
  tags  = { kept = "${version}", other = "${version}" }
  lifecycle {
    ignore_changes = [value, tags["kept"]]
  }
}
resource "shelf_item" "trigger" {
  name  = "trigger"
  value = "${version}"
}
resource "shelf_item" "b" {
  name = "b"
  lifecycle {
    replace_triggered_by = [shelf_item.trigger.value]
  }
}
resource "shelf_item" "c" {
  name  = "c"
  value = "${version}"
  lifecycle {
    ignore_changes = all
  }
}
`),
    })),
  },
  {
    name: "conditions and checks",
    steps: ["good", "bad"].map((value) => ({
      files: main(`
variable "v" {
  default = "${value}"
  validation {
    condition     = length(var.v) > 2
    error_message = "Too short."
  }
}
resource "shelf_item" "a" {
  name  = "a"
  value = var.v
  lifecycle {
    precondition {
      condition     = var.v != "never"
      error_message = "Never."
    }
    postcondition {
      condition     = self.upper == upper(var.v)
      error_message = "Not in upper case."
    }
  }
}
check "value" {
  data "shelf_lookup" "again" { name = "a" }
  assert {
    condition     = shelf_item.a.value == "good"
    error_message = "The value is \${shelf_item.a.value}."
  }
}
output "a" {
  value = shelf_item.a.upper
  precondition {
    condition     = shelf_item.a.id != ""
    error_message = "No id."
  }
}
`),
    })),
  },
  {
    name: "prevent_destroy, failed preconditions and missing values",
    steps: [
      { files: main('resource "shelf_item" "a" {\n  name = "a"\n  lifecycle {\n    prevent_destroy = true\n  }\n}') },
      { files: main('resource "shelf_item" "a" {\n  name = "b"\n  lifecycle {\n    prevent_destroy = true\n  }\n}') },
      {
        files: main(
          'resource "shelf_item" "a" {\n  name = "a"\n  lifecycle {\n    precondition {\n      condition = var.folder == ""\n      error_message = "The folder is set."\n    }\n  }\n}',
        ),
      },
      {
        files: main('resource "shelf_item" "a" { name = shelf_item.missing.id }\noutput "x" { value = local.nothing + var.unset }'),
      },
      { files: main('resource "shelf_item" "a" { nam = "x" }') },
    ],
  },
  {
    name: "import blocks, removed blocks and forgotten objects",
    steps: [
      { files: main('resource "shelf_item" "a" { name = "a" }\nresource "shelf_item" "b" { name = "b" }') },
      {
        files: main(
          'removed {\n  from = shelf_item.a\n  lifecycle {\n    destroy = false\n  }\n}\nresource "shelf_item" "b" { name = "b" }',
        ),
      },
      {
        files: main(
          'import {\n  to = shelf_item.c\n  id = "item-a"\n}\nresource "shelf_item" "c" {\n  name = "a"\n  value = "new"\n}\nresource "shelf_item" "b" { name = "b" }',
        ),
      },
    ],
  },
  {
    name: "moved blocks and moves that a changed count implies",
    steps: [
      {
        files: main(
          'resource "shelf_item" "a" { name = "a" }\nresource "shelf_item" "b" { name = "b" }\nresource "shelf_item" "c" { name = "c" }',
        ),
      },
      {
        files: main(
          'moved {\n  from = shelf_item.a\n  to = module.m.shelf_item.inner["x"]\n}\nmodule "m" { source = "./m" }\nresource "shelf_item" "b" {\n  count = 2\n  name = count.index == 0 ? "b" : "b2"\n}\nresource "shelf_item" "d" { name = "d" }\nmoved {\n  from = shelf_item.c\n  to = shelf_item.d\n}',
          { "m/main.tf": `${childHead}resource "shelf_item" "inner" {\n  for_each = { x = "a" }\n  name = each.value\n}` },
        ),
      },
      {
        files: main(
          'module "n" { source = "./m" }\nmoved {\n  from = module.m\n  to = module.n\n}\nresource "shelf_item" "b" { name = "b" }\nresource "shelf_item" "d" { name = "d" }',
          { "m/main.tf": `${childHead}resource "shelf_item" "inner" {\n  for_each = { x = "a" }\n  name = each.value\n}` },
        ),
      },
    ],
  },
  {
    name: "terraform_data and ephemeral resources",
    steps: ["1", "2"].map((value) => ({
      files: main(`
resource "shelf_item" "a" {
  name  = "a"
  value = "${value}"
}
resource "terraform_data" "t" {
  input            = shelf_item.a.upper
  triggers_replace = shelf_item.a.value
}
ephemeral "shelf_token" "t" { scope = "read" }
locals { token = ephemeral.shelf_token.t.value }
output "known" { value = terraform_data.t.output }
`),
    })),
  },
  {
    name: "provisioners that run commands",
    steps: [
      {
        files: main(
          'resource "shelf_item" "a" {\n  name = "a"\n  provisioner "local-exec" {\n    command = "exit 3"\n  }\n}\nresource "shelf_item" "b" {\n  name = "b"\n  provisioner "local-exec" {\n    command    = "exit 4"\n    on_failure = continue\n  }\n  provisioner "local-exec" {\n    when        = destroy\n    command     = "test $NAME = b"\n    environment = { NAME = self.name }\n  }\n}',
        ),
      },
      {
        files: main(
          'resource "shelf_item" "a" { name = "a" }\nremoved {\n  from = shelf_item.b\n  lifecycle {\n    destroy = true\n  }\n  provisioner "local-exec" {\n    when    = destroy\n    command = "exit 5"\n  }\n}',
        ),
      },
      { files: main('resource "shelf_item" "a" { name = "a" }') },
      {
        files: main(
          'import {\n  to = shelf_item.none\n  id = "x"\n}\nimport {\n  to = shelf_item.a[1]\n  id = "y"\n}\nresource "shelf_item" "a" { name = "a" }',
        ),
      },
    ],
  },
  {
    name: "files that take the place of others, override files and enabled",
    steps: ["true", "false"].map((enabled) => ({
      files: {
        "main.tf": "not read {{{",
        "main.tofu": `${head}
resource "shelf_item" "a" {
  name  = "a"
  value = "of the block"
  lifecycle { enabled = ${enabled} }
}
module "m" {
  source = "./m"
  lifecycle { enabled = ${enabled} }
}
resource "shelf_item" "b" { name = "b" }
output "a" { value = one(shelf_item.a[*].value) }
output "m" { value = try(module.m.name, "none") }
`,
        "override.tf": 'resource "shelf_item" "a" { value = "overridden" }\n',
        "b_override.tofu.json": JSON.stringify({ resource: { shelf_item: { b: { value: "overridden twice" } } } }),
        "m/main.tf": `${childHead}resource "shelf_item" "c" { name = "c" }\noutput "name" { value = shelf_item.c.name }\n`,
      },
    })),
  },
  {
    name: "templates, splats, grouping and values that are known in part",
    steps: [
      {
        files: main(`
locals {
  names    = ["x", "yy", "zz"]
  groups   = { for name in local.names : length(name) => name... }
  template = "hello $\${name}"
  text     = <<-EOT
    %{ for index, name in local.names ~}
    - \${index}: \${name} $\${name}
    %{ endfor ~}
      %{~ if length(local.names) > 2 }many%{ else }few%{ endif }
  EOT
}
resource "shelf_item" "a" {
  for_each = local.groups
  name     = join("-", each.value)
  value    = each.key
}
resource "terraform_data" "t" {
  count = 2
  input = shelf_item.a["2"].id
}
output "text" { value = local.text }
output "string" { value = templatestring(local.template, { name = "you" }) }
output "splats" { value = [terraform_data.t[*].input, terraform_data.t.*.id, null[*], local.names[*]] }
output "prefix" { value = startswith("pre-\${shelf_item.a["1"].id}", "pre-") }
output "length" { value = length([for item in shelf_item.a : item.id]) }
output "present" { value = "x\${terraform_data.t[0].id}" != null }
`),
      },
      { files: main("") },
    ],
  },
  {
    name: "provider configurations, modules and expressions of a configuration",
    steps: [
      {
        files: {
          "main.tf": `
terraform {
  required_version = ">= 1.5"
  required_providers {
    shelf = {
      source  = "tenon/shelf"
      version = ">= 0.1, < 9.0"
    }
  }
}
variable "folder" {
  type        = string
  description = "Where the objects are."
}
variable "shape" {
  type    = object({ name = optional(string, "n"), sizes = list(number) })
  default = { sizes = [1] }
}
variable "token" {
  type      = string
  default   = "t"
  ephemeral = true
}
provider "shelf" { folder = var.folder }
provider "shelf" {
  alias  = "second"
  folder = "\${var.folder}-second"
}
locals {
  names = { one = "first", two = upper("second") }
}
resource "shelf_item" "a" {
  provider = shelf.second
  for_each = local.names
  name     = each.value
  value    = "constant"
  size     = length(var.shape.sizes) + 1
  tags     = { key = each.key, id = "\${terraform.workspace}-\${path.module}" }
  parts    = [{ key = "k" }]
  lifecycle {
    create_before_destroy = true
  }
  provisioner "local-exec" {
    command     = "true"
    environment = { NAME = self.name }
  }
}
data "shelf_lookup" "a" {
  name       = shelf_item.a["one"].name
  depends_on = [shelf_item.a]
}
ephemeral "shelf_token" "t" { scope = var.shape.name }
resource "terraform_data" "t" {
  count = 2
  input = [for item in shelf_item.a : item.upper if item.size > count.index]
}
module "first" {
  source     = "./first"
  for_each   = { x = shelf_item.a["one"].id }
  name       = each.value
  settings   = { deep = data.shelf_lookup.a.value }
  depends_on = [terraform_data.t]
  providers  = { shelf = shelf, shelf.other = shelf.second }
}
check "found" {
  assert {
    condition     = data.shelf_lookup.a.found
    error_message = "Nothing."
  }
}
output "all" {
  value       = module.first["x"].result.name
  description = "The name."
  sensitive   = true
}
output "splat" {
  value      = [terraform_data.t[*].output, module.first]
  sensitive  = true
  depends_on = [shelf_item.a]
}
`,
          "first/main.tf": `
terraform {
  required_providers {
    shelf = {
      source                = "tenon/shelf"
      configuration_aliases = [shelf.other]
    }
  }
}
variable "name" { sensitive = true }
variable "settings" {
  type    = map(string)
  default = null
}
resource "shelf_item" "inner" {
  provider = shelf.other
  name     = "inner-\${nonsensitive(var.name)}"
  value    = var.settings["deep"]
}
module "second" {
  source = "../second"
  count  = 1
  value  = shelf_item.inner.upper
}
output "result" {
  value     = { name = module.second[0].name, item = shelf_item.inner }
  sensitive = true
}
`,
          "second/main.tf.json": JSON.stringify({
            terraform: { required_providers: { shelf: { source: "tenon/shelf", version: "~> 1.0" } } },
            variable: { value: { type: "string" } },
            resource: { shelf_item: { deep: { name: "deep-${var.value}", labels: ["a", "${var.value}"] } } },
            output: { name: { value: "${shelf_item.deep.name}" } },
          }),
        },
      },
    ],
  },
];
