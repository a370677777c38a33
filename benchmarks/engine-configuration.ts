// SPDX-License-Identifier: Apache-2.0

/**
 * Shapes of configurations. `flat`: one resource whose instances refer to nothing. `fan`: two resources with half of the instances each, of
 * which the second refers to the first. `chain`: each resource refers to the previous one. `modules`: modules of 20 instances, which refer to
 * the previous module.
 */
export type EngineShape = "flat" | "fan" | "chain" | "modules";

const moduleSize = 20;

/** Returns the files of a configuration of a shape with a number of instances, by path. */
export function engineConfiguration(shape: EngineShape, count: number): Readonly<Record<string, string>> {
  switch (shape) {
    case "flat":
      return { "main.tf": requirement + flat(count) };
    case "fan":
      return { "main.tf": requirement + fan(count) };
    case "chain":
      return { "main.tf": requirement + numbers(count).map(chainLink).join("") };
    default: {
      const modules = numbers(count / moduleSize)
        .map(moduleCall)
        .join("");
      return { "main.tf": requirement + modules, "notes/main.tf": requirement + notes };
    }
  }
}

const requirement = `
terraform {
  required_providers {
    bench = { source = "tenon/bench" }
  }
}
`;

function numbers(count: number): readonly number[] {
  return Array.from({ length: count }, (_, number) => number);
}

function flat(count: number): string {
  return `
resource "bench_note" "each" {
  count = ${count}
  title = "Note \${count.index}"
  body  = "Bread, butter, and cheese of the mountain kind; two bottles of milk."
  tags  = { team = "platform", stage = "production", owner = "somebody at example.com" }
}
`;
}

function fan(count: number): string {
  return `
locals {
  thousands = [for a in range(${Math.ceil(count / 2000)}) : [for b in range(1000) : a * 1000 + b]]
  keys      = toset([for i in flatten(local.thousands) : "k\${i}" if i < ${count / 2}])
}
resource "bench_note" "a" {
  for_each = local.keys
  title    = "Note \${each.key}"
  body     = "Bread, butter, and cheese of the mountain kind; two bottles of milk."
  tags     = { team = "platform", stage = "production", key = each.key }
}
resource "bench_note" "b" {
  for_each = local.keys
  title    = "Copy \${each.key}"
  body     = bench_note.a[each.key].id
}
`;
}

function chainLink(number: number): string {
  return `
resource "bench_note" "n${number}" {
  title = "Note ${number}"
  body  = ${number === 0 ? '"The first one"' : `bench_note.n${number - 1}.id`}
}
`;
}

function moduleCall(number: number): string {
  return `
module "m${number}" {
  source   = "./notes"
  prefix   = "Note ${number}"
  previous = ${number === 0 ? '"The first one"' : `module.m${number - 1}.last`}
}
`;
}

const notes = `
variable "prefix" {
  type = string
}
variable "previous" {
  type = string
}
resource "bench_note" "each" {
  count = ${moduleSize}
  title = "\${var.prefix}-\${count.index}"
  body  = var.previous
}
output "last" {
  value = bench_note.each[${moduleSize - 1}].id
}
`;
