// SPDX-License-Identifier: Apache-2.0
// Configurations and changes of them for the graphs of operations.

const required = 'terraform {\n  required_providers {\n    framework = { source = "tenon.example/test/framework" }\n  }\n}\n';

/** A change of a configuration whose graphs are compared. */
export interface GraphCase {
  /** The files that are applied first. Absent if there is no state. */
  readonly before?: Readonly<Record<string, string>>;
  readonly after: Readonly<Record<string, string>>;
  /** A target and exclusion of further plans. */
  readonly target?: string;
  /** Names of resources that also have a deposed object, with its key. */
  readonly deposed?: readonly (readonly [name: string, key: string])[];
}

const chain = `
variable "folder" {}
variable "unused" { default = 1 }
locals {
  l    = terraform_data.a.id
  gone = 1
}
resource "terraform_data" "a" { input = "a" }
resource "terraform_data" "b" {
  count = 2
  input = local.l
}
resource "terraform_data" "c" { input = terraform_data.b[0].id }
resource "terraform_data" "d" { input = terraform_data.b[*].id }
data "terraform_remote_state" "r" {
  backend = "local"
  config  = { path = "remote.tfstate" }
  defaults = { x = terraform_data.a.input }
}
output "o" { value = terraform_data.c.id }
`;

const modules = (inner: string): Readonly<Record<string, string>> => ({
  "main.tf": `
variable "folder" {}
resource "terraform_data" "first" { input = "x" }
module "m" {
  source   = "./m"
  for_each = toset(["a", "b"])
  x        = terraform_data.first.id
}
module "n" {
  source     = "./m"
  x          = module.m["a"].y
  depends_on = [terraform_data.first]
}
resource "terraform_data" "last" {
  input      = module.n.y
  depends_on = [module.m]
}
output "y" { value = module.n.y }
`,
  "m/main.tf": inner,
});

const inner = `
variable "x" {
  validation {
    condition     = var.x != ""
    error_message = "empty"
  }
}
resource "terraform_data" "c" { input = var.x }
resource "terraform_data" "d" {
  count = 2
  input = terraform_data.c.id
}
output "y" { value = terraform_data.d[1].id }
output "z" { value = 1 }
`;

const ephemeral = `${required}
variable "folder" {}
provider "framework" { directory = var.folder }
ephemeral "framework_token" "t" { name = "t" }
ephemeral "framework_token" "unused" { name = "t" }
locals { secret = ephemeral.framework_token.t.value }
provider "framework" {
  alias     = "other"
  directory = "\${var.folder}\${substr(local.secret, 0, 0)}"
}
resource "framework_record" "a" {
  provider = framework.other
  name     = "a"
  size = 1
}
`;

/** The cases by what they have. */
export const graphCases: Readonly<Record<string, GraphCase>> = {
  "a first plan of a chain": { after: { "main.tf": chain }, target: "terraform_data.b[0]" },
  "a chain without changes": { before: { "main.tf": chain }, after: { "main.tf": chain } },
  "orphans, removed instances and a removed output": {
    before: {
      "main.tf": `${chain}output "gone" { value = 1 }\nresource "terraform_data" "gone" {\n  for_each = toset(["x", "y \\"z\\""])\n  input = terraform_data.d.id\n}\n`,
    },
    after: { "main.tf": chain.replace("count = 2", "count = 1") },
  },
  "changes that go through a chain": {
    before: { "main.tf": chain },
    after: {
      "main.tf": chain
        .replace('input = "a"', 'input = "changed"')
        .replaceAll("local.l\n", "local.l\n  triggers_replace = terraform_data.a.output\n"),
    },
    target: "terraform_data.b",
  },
  "a moved resource": {
    before: { "main.tf": chain },
    after: {
      "main.tf": `${chain.replace('"c" {', '"moved" {').replaceAll("terraform_data.c", "terraform_data.moved")}moved {\n  from = terraform_data.c\n  to   = terraform_data.moved\n}\n`,
    },
  },
  "a removed resource that is forgotten": {
    before: { "main.tf": `${chain}resource "terraform_data" "gone" { input = terraform_data.a.id }\n` },
    after: { "main.tf": `${chain}removed {\n  from = terraform_data.gone\n  lifecycle {\n    destroy = false\n  }\n}\n` },
  },
  "modules with for_each": { before: modules(inner), after: modules(inner) },
  "modules whose resources are replaced": {
    before: modules(inner),
    after: modules(inner.replace("{ input = var.x }", "{\n  input = var.x\n  triggers_replace = 1\n}")),
    target: 'module.m["a"]',
  },
  "removed modules": {
    before: modules(inner),
    after: {
      "main.tf": 'variable "folder" {}\nresource "terraform_data" "first" { input = "x" }\nmodule "n" {\n  source = "./m"\n  x = "x"\n}\n',
      "m/main.tf": inner,
    },
  },
  create_before_destroy: {
    before: {
      "main.tf":
        'variable "folder" {}\nresource "terraform_data" "a" {\n  input = 1\n  triggers_replace = 1\n}\nresource "terraform_data" "b" {\n  input = terraform_data.a.id\n  triggers_replace = 1\n  lifecycle { create_before_destroy = true }\n}\nresource "terraform_data" "c" { input = terraform_data.b.id }\nresource "terraform_data" "gone" {\n  input = terraform_data.a.id\n  lifecycle { create_before_destroy = true }\n}\n',
    },
    after: {
      "main.tf":
        'variable "folder" {}\nresource "terraform_data" "a" {\n  input = 1\n  triggers_replace = 2\n}\nresource "terraform_data" "b" {\n  input = terraform_data.a.id\n  triggers_replace = 2\n  lifecycle { create_before_destroy = true }\n}\nresource "terraform_data" "c" { input = terraform_data.b.id }\n',
    },
  },
  "deposed objects": {
    before: { "main.tf": `${chain}resource "terraform_data" "gone" { input = 1 }\n` },
    after: { "main.tf": chain },
    deposed: [
      ["c", "0123abcd"],
      ["gone", "89abcdef"],
    ],
  },
  "checks, conditions and prevent_destroy": {
    before: { "main.tf": 'variable "folder" {}\nresource "terraform_data" "a" { input = 1 }\n' },
    after: {
      "main.tf": `
variable "folder" {}
variable "keep" { default = false }
resource "terraform_data" "a" {
  input = 1
  lifecycle {
    prevent_destroy = var.keep
    postcondition {
      condition     = terraform_data.b.id != ""
      error_message = "x"
    }
  }
}
resource "terraform_data" "b" { input = 2 }
module "m" {
  source = "./m"
  x      = terraform_data.b.id
}
resource "terraform_data" "after" { depends_on = [module.m] }
check "c" {
  data "terraform_remote_state" "r" {
    backend = "local"
    config  = { path = "remote.tfstate" }
    defaults = { id = terraform_data.a.id }
  }
  assert {
    condition     = data.terraform_remote_state.r.outputs.id == terraform_data.a.id
    error_message = "x"
  }
}
`,
      "m/main.tf": `
variable "x" {}
resource "terraform_data" "c" { input = var.x }
check "inner" {
  assert {
    condition     = terraform_data.c.id != var.x
    error_message = "x"
  }
}
`,
    },
  },
  "providers, aliases and functions": {
    before: {
      "main.tf": `${required}
variable "folder" {}
provider "framework" { directory = var.folder }
provider "framework" {
  alias     = "other"
  directory = terraform_data.d.input
}
resource "terraform_data" "d" { input = var.folder }
resource "framework_record" "a" { name = "a" }
resource "framework_record" "b" {
  provider = framework.other
  name     = provider::framework::join("-", framework_record.a.name, "b")
}
`,
    },
    after: {
      "main.tf": `${required}
variable "folder" {}
provider "framework" { directory = var.folder }
provider "framework" {
  alias     = "other"
  directory = terraform_data.d.output
}
provider "framework" {
  alias     = "unused"
  directory = var.folder
}
resource "terraform_data" "d" { input = var.folder }
resource "framework_record" "a" { name = "a2" }
module "inner" {
  source    = "./inner"
  providers = { framework = framework.other }
}
`,
      "inner/main.tf": `${required}resource "framework_record" "c" { name = "c" }\n`,
    },
  },
  "a provider in a module, and a module that another module calls": {
    before: {
      "main.tf":
        'variable "folder" {}\nmodule "m" {\n  source = "./m"\n  folder = var.folder\n}\nresource "terraform_data" "x" { input = module.m.name }\n',
      "m/main.tf": `${required}variable "folder" {}\nprovider "framework" { directory = var.folder }\nresource "framework_record" "a" { name = "a" }\nmodule "deep" {\n  source = "./deep"\n  name   = framework_record.a.name\n}\noutput "name" { value = module.deep.name }\n`,
      "m/deep/main.tf": `${required}variable "name" {}\nlocals { n = var.name }\nresource "framework_record" "b" {\n  count = 2\n  name = "\${local.n}-\${count.index}"\n}\noutput "name" { value = framework_record.b[0].name }\n`,
    },
    after: {
      "main.tf":
        'variable "folder" {}\nmodule "m" {\n  source = "./m"\n  folder = var.folder\n}\nresource "terraform_data" "x" { input = module.m.name }\n',
      "m/main.tf": `${required}variable "folder" {}\nprovider "framework" { directory = var.folder }\nresource "framework_record" "a" { name = "a2" }\nmodule "deep" {\n  source = "./deep"\n  name   = framework_record.a.name\n}\noutput "name" { value = module.deep.name }\n`,
      "m/deep/main.tf": `${required}variable "name" {}\nlocals { n = var.name }\nresource "framework_record" "b" {\n  count = 1\n  name = "\${local.n}-\${count.index}"\n}\noutput "name" { value = framework_record.b[0].name }\n`,
    },
  },
  "an output that depends on a module as a whole": {
    after: {
      "main.tf":
        'variable "folder" {}\nmodule "m" {\n  source = "./m"\n  count  = 1\n}\noutput "o" {\n  value      = 1\n  depends_on = [module.m]\n}\n',
      "m/main.tf": 'resource "terraform_data" "a" {}\noutput "id" { value = terraform_data.a.id }\n',
    },
  },
  "ephemeral resources": {
    before: { "main.tf": `${ephemeral}resource "framework_record" "b" { name = "b" }\n` },
    after: { "main.tf": ephemeral.replace("size = 1", "size = 2") },
  },
};
