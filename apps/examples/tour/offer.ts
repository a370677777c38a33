// SPDX-License-Identifier: Apache-2.0
import { friendlyNameForConstraint } from "@tenon/cty";
import type { LaunchedProvider } from "@tenon/plugin-host";
import type { Block, FunctionSignature, GetProviderSchemaResponse, Schema } from "@tenon/schema";
import { milliseconds, styled, type Screen } from "./screen.ts";

/** Prints what a provider offers: its components with how many attributes they have, and how it was started. */
export async function showOffer(screen: Screen, command: string, provider: LaunchedProvider): Promise<void> {
  const asked = performance.now();
  const schema = await provider.getProviderSchema({});
  const answered = performance.now() - asked;
  screen.line(styled("bold", command));
  screen.line(`  protocol ${provider.protocolVersion}`);
  screen.line(
    `  handshake after ${milliseconds(provider.startup.handshakeMs)}, connected after ${milliseconds(provider.startup.connectedMs)}, schema in ${milliseconds(answered)}`,
  );
  for (const { severity, summary, detail } of schema.diagnostics) screen.line(`  ${severity}: ${summary}: ${detail}`);
  if (schema.provider && Object.keys({ ...schema.provider.block.attributes, ...schema.provider.block.blocks }).length > 0) {
    screen.line(`\n${styled(["bold", "cyan"], "Configuration")}`);
    screen.block(attributeTable(schema.provider.block));
  }
  for (const [title, schemas] of kinds(schema)) {
    if (schemas.size === 0) continue;
    screen.line(`\n${styled(["bold", "cyan"], title)}  ${styled("dim", String(schemas.size))}`);
    screen.block([...schemas].map(([name, { block }]) => `${name}  ${styled("dim", shape(block))}`).join("\n"));
  }
  if (schema.functions.size > 0) {
    screen.line(`\n${styled(["bold", "cyan"], "Functions")}  ${styled("dim", String(schema.functions.size))}`);
    screen.block([...schema.functions].map(([name, signature]) => signatureText(name, signature)).join("\n"));
  }
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

function attributeTable(block: Block): string {
  const rows = Object.entries(block.attributes).map(([name, attribute]) => {
    const type = attribute.type ? friendlyNameForConstraint(attribute.type) : `${attribute.nested?.nesting ?? ""} of nested attributes`;
    const flags = [
      attribute.required && "required",
      attribute.optional && "optional",
      attribute.computed && "computed",
      attribute.sensitive && "sensitive",
    ];
    return `${name}  ${styled("dim", [type, ...flags.filter((flag) => flag !== false)].join(", "))}`;
  });
  return [...rows, ...Object.keys(block.blocks).map((name) => `${name}  ${styled("dim", "block")}`)].join("\n");
}

function signatureText(name: string, { parameters, variadicParameter, returnType, summary }: FunctionSignature): string {
  const list = parameters.map((parameter) => `${parameter.name} ${friendlyNameForConstraint(parameter.type)}`);
  if (variadicParameter) list.push(`${variadicParameter.name} ${friendlyNameForConstraint(variadicParameter.type)}...`);
  return `${name}(${list.join(", ")}) ${friendlyNameForConstraint(returnType)}  ${styled("dim", summary)}`;
}
