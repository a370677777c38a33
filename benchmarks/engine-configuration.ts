// SPDX-License-Identifier: Apache-2.0

/** Times of one run, in milliseconds. */
export interface EngineTimes {
  readonly plan: number;
  readonly apply: number;
  readonly replan: number;
  readonly destroy: number;
}

/** A configuration of two resources with `count / 2` instances each, of which the second refers to the first. */
export function engineConfiguration(count: number): string {
  return `
terraform {
  required_providers {
    bench = { source = "tenon/bench" }
  }
}
provider "bench" {}
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
