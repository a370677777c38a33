// SPDX-License-Identifier: Apache-2.0
import { testConformance, type Value } from "@tenon/cty";
import type { Block } from "../model/schema.ts";
import { impliedType } from "../model/implied-type.ts";
import { unknownPaths } from "../model/unknown-parts.ts";
import type { Problem } from "./problem.ts";

/**
 * What keeps a value from being what a provider has found or made: that it is of another type than the block says, or unknown
 * somewhere. That it is null is for the caller to judge: it means that there is nothing.
 *
 * @see OpenTofu node_resource_abstract_instance.go, refresh, apply and readDataSource
 */
export function assertResultValue(block: Block, value: Value): Problem[] {
  const misfits = testConformance(value.type, impliedType(block)).map(({ path, message }) => ({ path, message }));
  if (misfits.length > 0) return misfits;
  return unknownPaths(value).map((path) => ({ path, message: "is unknown, and has to be known by now" }));
}
