// SPDX-License-Identifier: Apache-2.0
import { friendlyNameForConstraint } from "@tenon/cty";
import type { LaunchedProvider } from "@tenon/plugin-host";
import type { Block, FunctionSignature, GetProviderSchemaResponse, Schema } from "@tenon/schema";
import { milliseconds, styled, type Screen } from "./screen.ts";

/** Prints the schema of a provider: its components with their descriptions, and how it was started. */
export async function showSchema(screen: Screen, command: string, provider: LaunchedProvider): Promise<void> {
  const schema = await screen.during("reading the schema", () => provider.getProviderSchema({}), countsText);
  const { handshakeMs, connectedMs } = provider.startup;
  screen.line(`\n${styled("bold", command)}`);
  screen.block(
    `protocol ${provider.protocolVersion}; handshake after ${milliseconds(handshakeMs)}, ready after ${milliseconds(connectedMs)}`,
  );
  for (const { severity, summary, detail } of schema.diagnostics) screen.line(`  ${severity}: ${summary}: ${detail}`);
  if (schema.provider && Object.keys({ ...schema.provider.block.attributes, ...schema.provider.block.blocks }).length > 0) {
    screen.line(`\n${styled(["bold", "cyan"], "Configuration")}`);
    screen.block(table(attributeRows(schema.provider.block)));
  }
  for (const [title, schemas] of kinds(schema)) {
    if (schemas.size === 0) continue;
    screen.line(`\n${styled(["bold", "cyan"], title)}  ${styled("dim", String(schemas.size))}`);
    screen.block(table(inOrder(schemas).map(([name, { block }]) => [name, shape(block), firstSentence(block.description)])));
  }
  if (schema.functions.size > 0) {
    screen.line(`\n${styled(["bold", "cyan"], "Functions")}  ${styled("dim", String(schema.functions.size))}`);
    screen.block(
      table(inOrder(schema.functions).map(([name, signature]) => [signatureText(name, signature), firstSentence(signature.summary)])),
    );
  }
}

/** `2 resources, 1 data source`. */
function countsText(schema: GetProviderSchemaResponse): string {
  const counted = [...kinds(schema), ["Functions", schema.functions] as const].flatMap(([title, { size }]) => {
    const name = title.toLowerCase();
    return size === 0 ? [] : [`${size} ${size === 1 ? name.replace(/s$/, "") : name}`];
  });
  return counted.length === 0 ? "no components" : counted.join(", ");
}

/** Sorts entries by name: a provider returns them in any order. */
function inOrder<Item>(items: ReadonlyMap<string, Item>): readonly (readonly [string, Item])[] {
  return [...items].toSorted(([a], [b]) => (a < b ? -1 : 1));
}

/** Formats rows with aligned columns; columns after the first are dim, and lines are cut at the width of the screen. */
function table(rows: readonly (readonly string[])[]): string {
  const widthOf = (column: number): number => Math.max(0, ...rows.map((row) => (row[column] ?? "").length));
  const width = (process.stdout.columns ?? 120) - 4;
  return rows
    .map(([name = "", ...rest]) => {
      const padded = rest.map((text, index) => (index === rest.length - 1 ? text : text.padEnd(widthOf(index + 1))));
      const more = padded.join("  ").trimEnd();
      const start = name.padEnd(widthOf(0));
      const left = Math.max(20, width - start.length);
      return `${start}  ${styled("dim", more.length > left ? `${more.slice(0, left - 1)}…` : more)}`.trimEnd();
    })
    .join("\n");
}

function firstSentence(text: string): string {
  const [line = ""] = text.trim().split("\n");
  return /^(.*?\.)\s/.exec(line)?.[1] ?? line;
}

function kinds(schema: GetProviderSchemaResponse): readonly (readonly [string, ReadonlyMap<string, Schema>])[] {
  return [
    ["Resources", schema.resources],
    ["Data sources", schema.dataSources],
    ["Ephemeral resources", schema.ephemeralResources],
    ["List resources", schema.listResources],
    ["Actions", schema.actions],
    ["State stores", schema.stateStores],
  ];
}

function shape(block: Block): string {
  const attributes = Object.keys(block.attributes).length;
  const blocks = Object.keys(block.blocks).length;
  return `${attributes} attribute${attributes === 1 ? "" : "s"}${blocks === 0 ? "" : `, ${blocks} block${blocks === 1 ? "" : "s"}`}`;
}

function attributeRows(block: Block): readonly (readonly string[])[] {
  const attributes = Object.entries(block.attributes).map(
    ([name, { type, nested, required, optional, computed, sensitive, description }]) => {
      const what = type ? friendlyNameForConstraint(type) : `nested attributes (${nested?.nesting ?? "single"})`;
      const flags = [required && "required", optional && "optional", computed && "computed", sensitive && "sensitive"];
      return [name, [what, ...flags.filter((flag) => flag !== false)].join(", "), firstSentence(description)];
    },
  );
  return [
    ...attributes,
    ...Object.entries(block.blocks).map(([name, nested]) => [name, `block (${nested.nesting})`, firstSentence(nested.block.description)]),
  ];
}

function signatureText(name: string, { parameters, variadicParameter, returnType }: FunctionSignature): string {
  const list = parameters.map((parameter) => `${parameter.name} ${friendlyNameForConstraint(parameter.type)}`);
  if (variadicParameter) list.push(`${variadicParameter.name} ${friendlyNameForConstraint(variadicParameter.type)}...`);
  return `${name}(${list.join(", ")}) ${friendlyNameForConstraint(returnType)}`;
}
