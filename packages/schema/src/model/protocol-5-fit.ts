// SPDX-License-Identifier: Apache-2.0
import { attributeStep, formatPath, type Path } from "@tenon/cty";
import { errorDiagnostic, type Diagnostic } from "../diagnostic.ts";
import type { GetProviderSchemaResponse } from "../messages/provider.ts";
import type { Block, Schema } from "./schema.ts";

/**
 * What keeps schemas from being carried by protocol 5: an error for each nested attribute, naming the schema and the attribute's path
 * in it. Empty where they fit. State stores are no problem: protocol 5 leaves them out.
 */
export function schemaFitsProtocol5(schema: GetProviderSchemaResponse): readonly Diagnostic[] {
  return [
    ...misfitsIn("the provider's configuration", schema.provider),
    ...misfitsIn("provider_meta", schema.providerMeta),
    ...misfitsInAll("resource type", schema.resources),
    ...misfitsInAll("data source", schema.dataSources),
    ...misfitsInAll("ephemeral resource type", schema.ephemeralResources),
    ...misfitsInAll("list resource type", schema.listResources),
    ...misfitsInAll("action type", schema.actions),
  ];
}

function misfitsInAll(what: string, schemas: ReadonlyMap<string, Schema>): Diagnostic[] {
  return [...schemas].flatMap(([name, schema]) => misfitsIn(`${what} ${JSON.stringify(name)}`, schema));
}

function misfitsIn(what: string, schema: Schema | undefined): Diagnostic[] {
  if (schema === undefined) return [];
  return nestedAttributes(schema.block, []).map((path) =>
    errorDiagnostic(
      "Protocol 5 cannot carry this provider's schemas",
      `${what}: the attribute ${formatPath(path).replace(/^\./, "")} has attributes of its own, which needs protocol 6. Serve protocol 6, or use a block instead.`,
    ),
  );
}

function nestedAttributes(block: Block, above: Path): Path[] {
  return [
    ...Object.entries(block.attributes).flatMap(([name, { nested }]) => (nested === undefined ? [] : [[...above, attributeStep(name)]])),
    ...Object.entries(block.blocks).flatMap(([name, nested]) => nestedAttributes(nested.block, [...above, attributeStep(name)])),
  ];
}
