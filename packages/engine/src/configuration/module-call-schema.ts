// SPDX-License-Identifier: Apache-2.0
import type { BodySchema } from "@tenon/hcl/body";

/** Meta-arguments of `module` blocks; variables cannot have these names. */
export const moduleCallSchema: BodySchema = {
  attributes: [
    { name: "source", required: true },
    { name: "version" },
    { name: "count" },
    { name: "for_each" },
    { name: "depends_on" },
    { name: "providers" },
  ],
  blocks: [{ type: "_" }, { type: "lifecycle" }, { type: "locals" }, { type: "provider", labelNames: ["type"] }],
};
