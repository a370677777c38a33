// SPDX-License-Identifier: Apache-2.0
import type { GetProviderSchemaResponse, GetResourceIdentitySchemasResponse, Schema } from "@tenon/schema";
import { PluginHostError } from "../error.ts";
import { blockDoc, configText, identityText, stateText } from "./block-type.ts";
import { functionDoc, functionText } from "./function-type.ts";
import { docText, objectText, type Member } from "./source-text.ts";

/** Settings for generating types. */
export interface GenerateTypesOptions {
  /** The name of the provider's type, such as `Time`: an identifier that begins with a capital letter. */
  readonly name: string;
  /** The identity schemas of the provider's resources. Default: no identities. */
  readonly identitySchemas?: GetResourceIdentitySchemasResponse["identitySchemas"];
  /** Comment at the top of the file, such as the source of the provider. */
  readonly comment?: string;
}

/** Names that the generated text uses, or that are global types. */
const reservedNames: readonly string[] = ["Num", "Record", "Readonly"];

/**
 * Generates a TypeScript module with the types of a provider: one exported interface with the given name for `openProvider<…>`, and one for
 * each component.
 *
 * - A configuration has the attributes that can be configured, a state has all. The type of a value that may be null has `| null`.
 * - Numbers are `Num` of `@tenon/cty`: a JavaScript number, or a bigint or BigFloat where that would lose digits.
 * - Dynamic values are `unknown`.
 * - Sets are arrays.
 * - Descriptions and deprecations become docstrings.
 *
 * The text depends only on the schema.
 *
 * @throws PluginHostError `INVALID_OPTIONS` for an invalid name
 *
 * @example
 * const provider = await launchProvider({ command: "terraform-provider-time" });
 * const text = generateTypes(await provider.getProviderSchema({}), { name: "Time" });
 */
export function generateTypes(schema: GetProviderSchemaResponse, options: GenerateTypesOptions): string {
  const { name, identitySchemas, comment = "" } = options;
  if (!/^[A-Z][\w$]*$/.test(name) || reservedNames.includes(name))
    throw new PluginHostError("INVALID_OPTIONS", `option name must be a type's name with a capital letter, not ${JSON.stringify(name)}`);
  const file = new File(name);
  const members: Member[] = [
    { name: "config", optional: false, type: schema.provider ? configText(schema.provider.block, 1) : objectText([], 1), doc: [] },
    file.group("resources", "Resource", schema.resources, (component, typeName) => {
      const identity = identitySchemas?.get(typeName);
      return [
        member("typeName", JSON.stringify(typeName)),
        ...configAndState(component),
        member("identity", identity ? identityText(identity, 1) : "undefined"),
      ];
    }),
    file.group("dataSources", "DataSource", schema.dataSources, configAndState),
    file.members(
      "functions",
      inOrder(schema.functions).map(([functionName, signature]) => ({
        name: functionName,
        optional: false,
        type: functionText(signature, 2),
        doc: functionDoc(signature),
      })),
    ),
    file.group("ephemeralResources", "EphemeralResource", schema.ephemeralResources, configAndState),
    file.group("listResources", "ListResource", schema.listResources, configOnly),
    file.group("actions", "Action", schema.actions, configOnly),
    file.group("stateStores", "StateStore", schema.stateStores, configOnly),
  ];
  const doc = ["Types of the provider, for `openProvider`.", ...(schema.provider ? blockDoc(schema.provider.block) : [])];
  const body = `${docText(doc, 0)}export interface ${name} ${objectText(members, 0)}\n${file.text}`;
  const head =
    "// Written by generateTypes of @tenon/plugin-host: do not edit.\n" +
    comment
      .split("\n")
      .map((line) => (line === "" ? "" : `// ${line}\n`))
      .join("");
  return `${head}${/\bNum\b/.test(body) ? 'import type { Num } from "@tenon/cty";\n' : ""}\n${body}`;
}

function configAndState({ block }: Schema): readonly Member[] {
  return [member("config", configText(block, 1)), member("state", stateText(block, 1))];
}

function configOnly({ block }: Schema): readonly Member[] {
  return [member("config", configText(block, 1))];
}

function member(name: string, type: string): Member {
  return { name, optional: false, type, doc: [] };
}

/** The interfaces generated so far. */
class File {
  text = "";
  readonly #names: Set<string>;

  constructor(name: string) {
    this.#names = new Set([...reservedNames, name]);
  }

  /** Generates an interface for each component. @returns the member that contains them */
  group(
    name: string,
    kind: string,
    components: ReadonlyMap<string, Schema>,
    membersOf: (component: Schema, typeName: string) => readonly Member[],
  ): Member {
    const all = inOrder(components).map(([typeName, schema]) => {
      const type = this.#freeName(`${pascalCase(typeName)}${kind}`);
      this.text += `\n${docText(blockDoc(schema.block), 0)}export interface ${type} ${objectText(membersOf(schema, typeName), 0)}\n`;
      return { name: typeName, optional: false, type, doc: [] };
    });
    return this.members(name, all);
  }

  members(name: string, members: readonly Member[]): Member {
    return member(name, members.length === 0 ? "{}" : objectText(members, 1));
  }

  /** A free type name: different component names may become the same type name. */
  #freeName(base: string): string {
    let name = base;
    for (let number = 2; this.#names.has(name); number++) name = `${base}${number}`;
    this.#names.add(name);
    return name;
  }
}

/** Sorted entries: a provider returns its components in a different order each time. */
function inOrder<Item>(items: ReadonlyMap<string, Item>): readonly (readonly [string, Item])[] {
  return [...items].toSorted(([a], [b]) => (a < b ? -1 : 1));
}

function pascalCase(name: string): string {
  const words = name.split(/[^A-Za-z0-9]+/).filter((word) => word !== "");
  const text = words.map((word) => word[0]!.toUpperCase() + word.slice(1)).join("");
  return /^[A-Z]/.test(text) ? text : `_${text}`;
}
