// SPDX-License-Identifier: Apache-2.0

/** A JSON object of a schema. */
type Json = Readonly<Record<string, unknown>>;

/**
 * Checks a Pulumi package schema: form, tokens, references, reserved words, and that the names are identifiers, without two equal ones, in
 * TypeScript, Python, Go and C#.
 *
 * @returns what is wrong, with the path in the schema; empty for a valid schema.
 * @see pulumi pkg/codegen/schema/pulumi.json and reserved_keywords.go
 */
export function schemaFaults(text: string): readonly string[] {
  const checker = new SchemaChecker(JSON.parse(text) as Json);
  checker.check();
  return checker.faults;
}

const tokenPattern = /^[a-zA-Z][-a-zA-Z0-9_]*:(?:[^0-9][a-zA-Z0-9._/-]*)?:[^0-9][a-zA-Z0-9._/]*$/;
const methodPattern = /^pulumi:providers:[a-zA-Z][-a-zA-Z0-9_]*\/[a-zA-Z][a-zA-Z0-9]*$/;
const versionPattern = /^(0|[1-9]\d*)\.(0|[1-9]\d*)\.(0|[1-9]\d*)(?:-[0-9A-Za-z.-]+)?(?:\+[0-9A-Za-z.-]+)?$/;
const primitives: ReadonlySet<unknown> = new Set(["string", "number", "integer", "boolean"]);
const builtIn: ReadonlySet<unknown> = new Set(["pulumi.json#/Any", "pulumi.json#/Json", "pulumi.json#/Asset", "pulumi.json#/Archive"]);

/** Property names that Pulumi reserves, by where they are. */
const reserved = {
  resource: ["id", "urn", "pulumi"],
  provider: ["version", "pulumi", "id", "urn"],
  other: ["pulumi"],
} as const;

class SchemaChecker {
  readonly faults: string[] = [];
  readonly #schema: Json;
  readonly #types: Json;
  readonly #used = new Set<string>();

  constructor(schema: Json) {
    this.#schema = schema;
    this.#types = record(schema["types"]);
  }

  check(): void {
    const { name, version, meta } = this.#schema;
    if (typeof name !== "string" || !/^[a-zA-Z][-a-zA-Z0-9_]*$/.test(name))
      this.#fault("name", `${JSON.stringify(name)} is no package name`);
    else if (name === "pulumi" || name === "input") this.#fault("name", "is reserved");
    if (typeof version !== "string" || !versionPattern.test(version)) this.#fault("version", "is no semantic version");
    this.#checkModules(record(meta));
    const config = record(this.#schema["config"]);
    this.#properties("config/variables", config["variables"], config["defaults"], reserved.other);
    this.#checkProvider(record(this.#schema["provider"]));
    for (const [token, resource] of entries(this.#schema["resources"])) this.#checkResource(token, record(resource));
    for (const [token, mapped] of entries(this.#schema["functions"])) this.#checkFunction(token, record(mapped));
    for (const [token, type] of Object.entries(this.#types)) this.#checkType(token, record(type));
    for (const token of Object.keys(this.#types)) if (!this.#used.has(token)) this.#fault(`types/${token}`, "is not used");
    this.#checkClasses();
  }

  /** Without a module format, SDKs take every component for a module of its own. */
  #checkModules({ moduleFormat }: Json): void {
    if (typeof moduleFormat !== "string") return this.#fault("meta/moduleFormat", "is missing");
    for (const token of [...keys(this.#schema["resources"]), ...keys(this.#schema["functions"])]) {
      const [, module = ""] = token.split(":");
      if (!methodPattern.test(token) && new RegExp(moduleFormat).exec(module)?.[1] !== "index")
        this.#fault(token, `is in module ${module}`);
    }
  }

  #checkProvider(provider: Json): void {
    this.#properties("provider/properties", provider["properties"], provider["required"], reserved.provider);
    this.#properties("provider/inputProperties", provider["inputProperties"], provider["requiredInputs"], reserved.provider);
    for (const [method, token] of entries(provider["methods"])) {
      if (!(String(token) in record(this.#schema["functions"]))) this.#fault(`provider/methods/${method}`, "names no function");
    }
  }

  #checkResource(token: string, resource: Json): void {
    const path = `resources/${token}`;
    this.#token(path, token);
    if (/:(?:provider|Provider)$/.test(token)) this.#fault(path, "has the name of the provider's class");
    this.#properties(`${path}/properties`, resource["properties"], resource["required"], reserved.resource);
    this.#properties(`${path}/inputProperties`, resource["inputProperties"], resource["requiredInputs"], reserved.resource);
    const state = record(resource["stateInputs"]);
    this.#properties(`${path}/stateInputs/properties`, state["properties"], state["required"], reserved.resource);
    const outputs = record(resource["properties"]);
    for (const name of keys(resource["inputProperties"])) {
      if (!(name in outputs)) this.#fault(`${path}/inputProperties/${name}`, "is not among the properties");
    }
  }

  #checkFunction(token: string, mapped: Json): void {
    const path = `functions/${token}`;
    if (!methodPattern.test(token)) this.#token(path, token);
    const inputs = record(mapped["inputs"]);
    this.#properties(`${path}/inputs/properties`, inputs["properties"], inputs["required"], reserved.other, true);
    const order = mapped["multiArgumentInputs"];
    if (Array.isArray(order)) {
      const names = keys(inputs["properties"]);
      if (order.length !== names.length || !order.every((name) => names.includes(name as string))) {
        this.#fault(`${path}/multiArgumentInputs`, "does not have all inputs, and only these");
      }
      const required = new Set(array(inputs["required"]));
      const firstOptional = order.findIndex((name) => !required.has(name));
      if (firstOptional >= 0 && order.slice(firstOptional).some((name) => required.has(name))) {
        this.#fault(`${path}/multiArgumentInputs`, "has a required input after an optional one");
      }
    }
    const outputs = record(mapped["outputs"]);
    if (outputs["type"] === "object" && "properties" in outputs) {
      this.#properties(`${path}/outputs/properties`, outputs["properties"], outputs["required"], reserved.other);
    } else this.#type(`${path}/outputs`, outputs);
  }

  #checkType(token: string, type: Json): void {
    const path = `types/${token}`;
    this.#token(path, token);
    if (type["type"] !== "object") this.#fault(path, "is no object type");
    this.#properties(`${path}/properties`, type["properties"], type["required"], reserved.other);
    for (const { requiredOutputs, requiredInputs } of [record(record(type["language"])["nodejs"])] as Json[]) {
      for (const name of [...array(requiredOutputs), ...array(requiredInputs)]) {
        if (!keys(type["properties"]).includes(String(name)))
          this.#fault(`${path}/language`, `requires ${String(name)}, which does not exist`);
      }
    }
  }

  #token(path: string, token: string): void {
    if (!tokenPattern.test(token)) return this.#fault(path, "is no token");
    const [name, module = "", last = ""] = token.split(":");
    if (name !== this.#schema["name"]) this.#fault(path, "is of another package");
    if (!isIdentifier(last) || module.slice(module.indexOf("/") + 1).toLowerCase() !== last.toLowerCase())
      this.#fault(path, "has no valid name");
    if (last === "pulumi" || keywords.classes.has(last)) this.#fault(path, "has a reserved name");
  }

  #properties(path: string, properties: unknown, required: unknown, names: readonly string[], arePositional = false): void {
    const all = record(properties);
    const spellings = new Map<string, string>();
    for (const [name, property] of Object.entries(all)) {
      const here = `${path}/${name}`;
      if (name === "__self__") continue;
      if (!isIdentifier(name)) this.#fault(here, "is no identifier");
      if (names.includes(name)) this.#fault(here, "is reserved");
      if (
        arePositional &&
        keywords.typescript.has(name) &&
        path.startsWith("functions/") &&
        "multiArgumentInputs" in this.#functionAt(path)
      ) {
        this.#fault(here, "is a keyword of TypeScript, where it is a parameter");
      }
      for (const [language, spelling] of [
        ["Go and C#", pascal(name)],
        ["Python", snake(name)],
      ] as const) {
        const key = `${language} ${spelling}`;
        const other = spellings.get(key);
        if (other !== undefined) this.#fault(here, `is ${spelling} in ${language}, as ${other} is`);
        spellings.set(key, name);
      }
      this.#type(here, record(property));
    }
    for (const name of array(required)) if (!(String(name) in all)) this.#fault(path, `requires ${String(name)}, which does not exist`);
    if (Array.isArray(required) && new Set(required).size !== required.length) this.#fault(path, "requires a property twice");
  }

  #functionAt(path: string): Json {
    return record(record(this.#schema["functions"])[path.slice("functions/".length, path.lastIndexOf("/inputs"))]);
  }

  #type(path: string, type: Json): void {
    const { $ref: reference, type: kind, items, additionalProperties, oneOf } = type;
    if (reference !== undefined) return this.#reference(path, reference);
    if (oneOf !== undefined) {
      if (array(oneOf).length < 2) this.#fault(path, "is a union of less than two types");
      for (const one of array(oneOf)) this.#type(path, record(one));
      return;
    }
    if (primitives.has(kind)) return;
    if (kind === "array") return items === undefined ? this.#fault(path, "has no items") : this.#type(path, record(items));
    if (kind !== "object") return this.#fault(path, `has the type ${JSON.stringify(kind)}`);
    if (additionalProperties === undefined) this.#fault(path, "has no additional properties");
    else this.#type(path, record(additionalProperties));
  }

  #reference(path: string, reference: unknown): void {
    if (builtIn.has(reference) || reference === "#/provider") return;
    const token = String(reference).replace(/^#\/types\//, "");
    if (!String(reference).startsWith("#/types/") || !(token in this.#types))
      this.#fault(path, `refers to ${String(reference)}, which does not exist`);
    this.#used.add(token);
  }

  /** The classes and functions of an SDK share their names with the types that it derives from them. */
  #checkClasses(): void {
    const classes = new Map<string, string>();
    const add = (token: string, names: readonly string[]): void => {
      for (const name of names) {
        const other = classes.get(name.toLowerCase());
        if (other !== undefined && other !== token) this.#fault(token, `has ${name} in SDKs, as ${other} has`);
        classes.set(name.toLowerCase(), token);
      }
    };
    add("the provider", ["Provider", "ProviderArgs"]);
    for (const token of keys(this.#schema["resources"]))
      add(
        token,
        ["", "Args", "State"].map((suffix) => lastOf(token) + suffix),
      );
    for (const token of keys(this.#schema["functions"])) {
      if (!methodPattern.test(token))
        add(
          token,
          ["", "Args", "Result", "Output", "OutputArgs"].map((suffix) => lastOf(token) + suffix),
        );
    }
    const types = new Map<string, string>();
    for (const token of Object.keys(this.#types)) {
      const key = token.toLowerCase();
      const other = types.get(key);
      if (other !== undefined) this.#fault(token, `is ${other}, apart from case`);
      types.set(key, token);
    }
  }

  #fault(path: string, text: string): void {
    this.faults.push(`${path} ${text}`);
  }
}

const keywords = {
  classes: new Set(["None", "True", "False"]),
  typescript: new Set(
    (
      "break case catch class const continue debugger default delete do else enum export extends false finally for function if import in " +
      "instanceof new null return super switch this throw true try typeof var void while with implements interface let package private " +
      "protected public static yield await eval arguments opts"
    ).split(" "),
  ),
} as const;

function isIdentifier(name: string): boolean {
  return /^[A-Za-z_][A-Za-z0-9_]*$/.test(name);
}

function pascal(name: string): string {
  return name === "" ? name : name[0]!.toUpperCase() + name.slice(1);
}

/** Name of a property in Python, whose keywords get an underscore. */
function snake(name: string): string {
  return name
    .replaceAll(/([a-z0-9])([A-Z])/g, "$1_$2")
    .replaceAll(/([A-Z])([A-Z][a-z])/g, "$1_$2")
    .toLowerCase();
}

function lastOf(token: string): string {
  return token.slice(token.lastIndexOf(":") + 1);
}

function record(value: unknown): Json {
  return typeof value === "object" && value !== null && !Array.isArray(value) ? (value as Json) : {};
}

function array(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? (value as unknown[]) : [];
}

function entries(value: unknown): readonly (readonly [string, unknown])[] {
  return Object.entries(record(value));
}

function keys(value: unknown): readonly string[] {
  return Object.keys(record(value));
}
