// SPDX-License-Identifier: Apache-2.0
import { framed, type PickedCase } from "./configuration.ts";

/** Warnings about values that derive from what is deprecated. */
export const deprecationsCases: readonly PickedCase[] = [
  {
    name: "blocks that are generated from a deprecated value, of a resource with nested attributes",
    steps: [
      framed(
        'resource "framework_record" "a" {\n name = "a"\n old_name = "x"\n}\nresource "tfcoremock_complex_resource" "b" {\n dynamic "list_block" {\n for_each = framework_record.a.old_name == "x" ? ["one"] : []\n content {\n string = list_block.value\n}\n}\n}\n',
      ),
    ],
  },
];
