// SPDX-License-Identifier: Apache-2.0
import { bool, list, map, string } from "@tenon/cty";
import { createAttribute, createSchema, type Block } from "@tenon/schema";

/** Arguments of a `local-exec` provisioner. @see OpenTofu builtin/provisioners/local-exec, GetSchema */
export const localExecSchema: Block = createSchema({
  attributes: {
    command: createAttribute({ type: string, required: true }),
    interpreter: createAttribute({ type: list(string), optional: true }),
    working_dir: createAttribute({ type: string, optional: true }),
    environment: createAttribute({ type: map(string), optional: true }),
    quiet: createAttribute({ type: bool, optional: true }),
  },
}).block;
