// SPDX-License-Identifier: Apache-2.0
import { attributeStep, formatPath, type Path } from "@tenon/cty";
import { errorDiagnostic, type Diagnostic } from "../diagnostic.ts";
import type { GetProviderSchemaResponse } from "../messages/provider.ts";
import type { Block, Schema } from "../model/schema.ts";

/**
 * Returns the errors of a provider's schemas in protocol 5: one for each nested attribute, with the schema and the path of the attribute.
 * Empty when protocol 5 can represent the schemas. State stores are ignored, because protocol 5 has none.
 */
export function protocol5SchemaErrors(schema: GetProviderSchemaResponse): readonly Diagnostic[] {
  return [
    ...errorsIn("the provider's configuration", schema.provider),
    ...errorsIn("provider_meta", schema.providerMeta),
    ...errorsInAll("resource type", schema.resources),
    ...errorsInAll("data source", schema.dataSources),
    ...errorsInAll("ephemeral resource type", schema.ephemeralResources),
    ...errorsInAll("list resource type", schema.listResources),
    ...errorsInAll("action type", schema.actions),
  ];
}

function errorsInAll(what: string, schemas: ReadonlyMap<string, Schema>): Diagnostic[] {
  return [...schemas].flatMap(([name, schema]) => errorsIn(`${what} ${JSON.stringify(name)}`, schema));
}

function errorsIn(what: string, schema: Schema | undefined): Diagnostic[] {
  if (schema === undefined) return [];
  return nestedAttributes(schema.block, []).map((path) =>
    errorDiagnostic(
      "Protocol 5 cannot represent this provider's schemas",
      `${what}: the attribute ${formatPath(path).replace(/^\./, "")} has nested attributes, which need protocol 6. Serve protocol 6, or use a block instead.`,
    ),
  );
}

function nestedAttributes(block: Block, above: Path): Path[] {
  return [
    ...Object.entries(block.attributes).flatMap(([name, { nested }]) => (nested === undefined ? [] : [[...above, attributeStep(name)]])),
    ...Object.entries(block.blocks).flatMap(([name, nested]) => nestedAttributes(nested.block, [...above, attributeStep(name)])),
  ];
}
