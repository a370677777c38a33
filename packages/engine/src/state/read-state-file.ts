// SPDX-License-Identifier: Apache-2.0
// Reads state files of format 4, one method for each part of the file.
import { CtyError } from "@tenon/cty";
import { decode, decodeType } from "@tenon/cty/json";
import { goQuote } from "@tenon/cty/unstable/payload";
import { hasErrors } from "@tenon/hcl";
import {
  configResourceOf,
  formatAbsoluteResource,
  formatConfigResource,
  formatInstanceKey,
  formatProviderConfig,
  formatResourceInstance,
  formatResourceInstanceObject,
  parseAbsoluteResource,
  parseLegacyProviderConfig,
  parseModuleInstance,
  parseProviderConfig,
  parseProviderConfigInstance,
  rootModule,
  type AbsoluteResource,
  type InstanceKey,
  type ProviderConfig,
} from "../address/index.ts";
import { opentofuVersion } from "../opentofu-version.ts";
import { checkableKindOf, checkStatusOf, type CheckResult } from "./check-result.ts";
import { isRawNumber, parseJsonTree, type JsonObject, type JsonTree } from "./json-tree.ts";
import { jsonErrorIndex } from "./json-syntax-error.ts";
import { decodeSensitivePaths } from "./sensitive-path.ts";
import { StateDraft, type ObjectProvider, type StateObjectEntry } from "./state-draft.ts";
import { stateError, stateWarning, type StateDiagnostic } from "./state-diagnostic.ts";
import type { StateFile } from "./state-file.ts";
import { stateFileShapeError } from "./state-file-shape.ts";
import type { StateObject } from "./state-object.ts";

/** The result of {@link readStateFile}. */
export interface ReadStateFile {
  /** Absent if there are errors. */
  readonly file?: StateFile;
  readonly diagnostics: readonly StateDiagnostic[];
}

const unsupported = "Unsupported state file format";

/**
 * Reads a state file of format 4. Formats 1 to 3, which OpenTofu upgrades, are rejected with an error that names the format.
 *
 * @see OpenTofu internal/states/statefile, readState
 */
export function readStateFile(source: string | Uint8Array): ReadStateFile {
  const text = typeof source === "string" ? source : new TextDecoder().decode(source);
  if (text.startsWith("tfstate")) {
    return unsupportedFile(
      "The state is stored in a legacy binary format that is not supported since Terraform v0.7. To continue, first upgrade the state using Terraform 0.6.16 or earlier.",
    );
  }
  let tree: JsonTree;
  try {
    tree = parseJsonTree(text);
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
    return unsupportedFile(`The state file could not be parsed as JSON: syntax error at byte offset ${syntaxErrorOffset(text)}.`);
  }
  const root = objectOf(tree);
  const version = root?.["version"];
  if (root === undefined || version === undefined || version === null) {
    const isEncrypted = root !== undefined && typeof root["encrypted_data"] === "string";
    return unsupportedFile(
      isEncrypted
        ? "This state file is encrypted and can not be read without an encryption configuration"
        : 'The state file does not have a "version" attribute, which is required to identify the format version.',
    );
  }
  if (typeof version !== "number" || !Number.isInteger(version) || version < 0) {
    const kind = typeof version === "number" || typeof version === "object" ? `number ${JSON.stringify(version)}` : typeof version;
    return unsupportedFile(`The version in the state file is ${kind}. A positive whole number is required.`);
  }
  if (version === 0) {
    return unsupportedFile(
      "The state file uses JSON syntax but has a version number of zero. There was never a JSON-based state format zero, so this state file is invalid and cannot be processed.",
    );
  }
  if (version !== 4) return unsupportedFile(unsupportedVersion(version, root["terraform_version"]));
  const shapeError = stateFileShapeError(root);
  if (shapeError !== undefined) return { diagnostics: [stateError("Invalid state file format", shapeError)] };
  return new StateFileReader(root).read();
}

/**
 * Reads an element of a state file's `resources` that has one object.
 *
 * @throws SyntaxError if it is invalid, or has another number of objects.
 */
export function readResourceTree(tree: JsonObject): StateObjectEntry {
  const root: JsonObject = { version: 4, resources: [tree] };
  const shapeError = stateFileShapeError(root);
  if (shapeError !== undefined) throw new SyntaxError(shapeError);
  const { file, diagnostics } = new StateFileReader(root).read();
  if (file === undefined) throw new SyntaxError(diagnostics.map(({ summary, detail }) => `${summary}: ${detail}`).join("; "));
  const entries = [...file.state.resources.values()].flatMap(({ address, provider, instances }) =>
    [...instances.values()].flatMap(({ key, providerKey, current, deposed }): readonly StateObjectEntry[] => {
      const instance = { ...address, ...(key !== undefined && { key }) };
      const own = { config: provider, ...(providerKey !== undefined && { key: providerKey }) };
      const old = Array.from(deposed, ([name, object]) => ({ address: { instance, deposed: name }, object, provider: own }));
      return current === undefined ? old : [{ address: { instance }, object: current, provider: own }, ...old];
    }),
  );
  const [entry] = entries;
  if (entry === undefined || entries.length > 1) throw new SyntaxError(`the resource has ${entries.length} objects, not one`);
  return entry;
}

/** The number of bytes that Go reads until it finds a syntax error: up to and including the invalid byte. */
function syntaxErrorOffset(text: string): number {
  const index = jsonErrorIndex(text);
  return Buffer.byteLength(text.slice(0, index)) + (index < text.length ? 1 : 0);
}

function unsupportedFile(detail: string): ReadStateFile {
  return { diagnostics: [stateError(unsupported, detail)] };
}

const semanticVersion = /^v?\d+(?:\.\d+)*(?:-[0-9A-Za-z.-]+)?(?:\+[0-9A-Za-z.-]+)?$/;

function unsupportedVersion(version: number, creator: JsonTree | undefined): string {
  if (version < 4) {
    return `The state file uses format version ${version}, which can be upgraded with any command of OpenTofu that writes state, such as "tofu refresh".`;
  }
  const start = `The state file uses format version ${version}, which is not supported by OpenTofu ${opentofuVersion}. This state file`;
  const isVersion = typeof creator === "string" && semanticVersion.test(creator);
  return isVersion ? `${start} was created by OpenTofu ${creator}.` : `${start} may have been created by a newer version of OpenTofu.`;
}

function objectOf(tree: JsonTree | undefined): JsonObject | undefined {
  return typeof tree === "object" && tree !== null && !Array.isArray(tree) && !isRawNumber(tree) ? (tree as JsonObject) : undefined;
}

function arrayOf(tree: JsonTree | undefined): readonly JsonTree[] {
  return Array.isArray(tree) ? (tree as readonly JsonTree[]) : [];
}

function textOf(tree: JsonTree | undefined): string {
  return typeof tree === "string" ? tree : "";
}

class StateFileReader {
  readonly #root: JsonObject;
  readonly #draft = new StateDraft();
  readonly #diagnostics: StateDiagnostic[] = [];
  /** Addresses of the objects that were read, to detect duplicates. */
  readonly #objects = new Set<string>();

  constructor(root: JsonObject) {
    this.#root = root;
  }

  read(): ReadStateFile {
    const terraformVersion = textOf(this.#root["terraform_version"]);
    if (terraformVersion !== "" && !semanticVersion.test(terraformVersion)) {
      this.#error(
        "Invalid OpenTofu version string",
        `State file claims to have been written by OpenTofu version ${goQuote(terraformVersion)}, which is not a valid version string.`,
      );
    }
    for (const resource of arrayOf(this.#root["resources"])) this.#resource(objectOf(resource) ?? {});
    for (const [name, output] of Object.entries(objectOf(this.#root["outputs"]) ?? {})) this.#output(name, objectOf(output) ?? {});
    const checks = this.#root["check_results"];
    if (Array.isArray(checks))
      this.#draft.setCheckResults((checks as readonly JsonTree[]).flatMap((check) => checkResult(objectOf(check) ?? {})));
    const diagnostics = this.#diagnostics;
    if (hasErrors(diagnostics)) return { diagnostics };
    const serial = this.#root["serial"];
    const identity = { terraformVersion, serial: typeof serial === "number" ? serial : 0, lineage: textOf(this.#root["lineage"]) };
    return { file: { ...identity, state: this.#draft.snapshot() }, diagnostics };
  }

  #error(summary: string, detail: string): void {
    this.#diagnostics.push(stateError(summary, detail));
  }

  #resource(tree: JsonObject): void {
    const mode = textOf(tree["mode"]);
    const [type, name] = [textOf(tree["type"]), textOf(tree["name"])];
    if (mode !== "managed" && mode !== "data") {
      this.#error(
        "Invalid resource mode in state",
        `State contains a resource with mode ${goQuote(mode)} (${goQuote(type)} ${goQuote(name)}) which is not supported.`,
      );
      return;
    }
    const module = this.#module(textOf(tree["module"]));
    if (module === undefined) return;
    const address: AbsoluteResource = { module, resource: { mode, type, name } };
    const text = textOf(tree["provider"]);
    const provider = text === "" ? undefined : this.#provider(text);
    if (text !== "" && provider === undefined) return;
    if (provider !== undefined) this.#draft.setResourceProvider(address, provider);
    const providers: ProviderConfig[] = [];
    for (const instance of arrayOf(tree["instances"])) this.#instance(address, objectOf(instance) ?? {}, text, provider, providers);
    const other = providers.findIndex(
      (each, index) => index > 0 && formatProviderConfig(each) !== formatProviderConfig(providers[index - 1]!),
    );
    if (other < 0) return;
    const [a, b] = [providers[other - 1]!, providers[other]!].map((each) => goQuote(formatProviderConfig(each)));
    this.#error(
      "Provider instance field conflict in state",
      `Resource ${formatAbsoluteResource(address)} has instances with different provider addresses: ${a} != ${b}.`,
    );
  }

  #module(text: string): AbsoluteResource["module"] | undefined {
    if (text === "") return rootModule;
    const { address, diagnostics } = parseModuleInstance(text);
    this.#diagnostics.push(...diagnostics);
    return address;
  }

  /** Reads the address of a provider configuration, also the legacy form without a namespace. */
  #provider(text: string): ProviderConfig | undefined {
    const { address, diagnostics } = parseProviderConfig(text);
    if (address !== undefined && !hasErrors(diagnostics)) {
      this.#diagnostics.push(...diagnostics);
      return address;
    }
    const legacy = parseLegacyProviderConfig(text);
    const isLegacy = legacy.address !== undefined && !hasErrors(legacy.diagnostics);
    this.#diagnostics.push(...(isLegacy ? legacy.diagnostics : diagnostics));
    return isLegacy ? legacy.address : undefined;
  }

  #instance(
    address: AbsoluteResource,
    tree: JsonObject,
    resourceProvider: string,
    provider: ProviderConfig | undefined,
    providers: ProviderConfig[],
  ): void {
    const resourceText = formatAbsoluteResource(address);
    const rawKey = tree["index_key"];
    if (rawKey !== undefined && rawKey !== null && typeof rawKey !== "string" && typeof rawKey !== "number") {
      this.#error(
        "Invalid resource instance metadata in state",
        `Resource ${resourceText} has an instance with the invalid instance key ${JSON.stringify(rawKey)}.`,
      );
      return;
    }
    const key: InstanceKey | undefined = rawKey === null ? undefined : typeof rawKey === "number" ? Math.trunc(rawKey) : rawKey;
    const ownProvider = textOf(tree["provider"]);
    if (ownProvider !== "" && resourceProvider !== "") {
      const which = key === undefined ? "an instance" : `instance ${formatInstanceKey(key)}`;
      this.#diagnostics.push(
        stateWarning(
          "Provider field conflict in state",
          `Resource ${resourceText} has a provider address ${resourceProvider}, as well as ${which} with provider address ${ownProvider}.`,
        ),
      );
    }
    if (ownProvider === "" && resourceProvider === "") {
      this.#error(
        "Provider field missing state",
        `Resource ${resourceText} is missing a provider address, both on the resource and the resource instances.`,
      );
    }
    let objectProvider: ObjectProvider | undefined = provider && { config: provider };
    if (ownProvider !== "") {
      const parsed = parseProviderConfigInstance(ownProvider);
      this.#diagnostics.push(...parsed.diagnostics);
      objectProvider = parsed.address;
      if (parsed.address !== undefined) providers.push(parsed.address.config);
    }
    this.#object(address, key, tree, objectProvider);
  }

  /** Reads an object. An object without a valid provider, which the caller has reported, is read only for its own diagnostics. */
  #object(resource: AbsoluteResource, key: InstanceKey | undefined, tree: JsonObject, provider: ObjectProvider | undefined): void {
    const instance = { ...resource, ...(key === undefined ? {} : { key }) };
    const text = formatResourceInstance(instance);
    const invalid = (what: string): void => this.#error("Invalid resource instance metadata in state", `Instance ${text} has ${what}`);
    const sensitive = tree["sensitive_attributes"];
    const { paths, diagnostics } = sensitive === undefined || sensitive === null ? noPaths : decodeSensitivePaths(sensitive);
    this.#diagnostics.push(...diagnostics);
    if (hasErrors(diagnostics)) return;
    const status = textOf(tree["status"]);
    if (status !== "" && status !== "tainted") return invalid(`invalid status ${goQuote(status)}.`);
    const dependencies = arrayOf(tree["dependencies"]).flatMap((dependency) => this.#dependency(textOf(dependency)));
    const deposed = textOf(tree["deposed"]);
    if (deposed !== "" && Buffer.byteLength(deposed) !== 8) {
      return invalid(`an object with deposed key ${goQuote(deposed)}, which is not correctly formatted.`);
    }
    const address = deposed === "" ? { instance } : { instance, deposed };
    const addressText = formatResourceInstanceObject(address);
    if (this.#objects.has(addressText)) {
      const what = deposed === "" ? `Instance ${text}` : `Instance ${text} deposed object ${goQuote(deposed)}`;
      return this.#error("Duplicate resource instance in state", `${what} appears multiple times in the state file.`);
    }
    this.#objects.add(addressText);
    if (provider === undefined) return;
    const identity = tree["identity"];
    const identityVersion = tree["identity_schema_version"];
    const object: StateObject = {
      status: status === "tainted" ? "tainted" : "ready",
      schemaVersion: typeof tree["schema_version"] === "number" ? tree["schema_version"] : 0,
      ...attributesIn(tree),
      sensitivePaths: paths,
      ...(textOf(tree["private"]) === "" ? {} : { private: Buffer.from(textOf(tree["private"]), "base64") }),
      dependencies,
      createBeforeDestroy: tree["create_before_destroy"] === true,
      skipDestroy: tree["skip_destroy"] === true,
      ...(identity === undefined || identity === null ? {} : { identity }),
      ...(identity === undefined || identity === null || typeof identityVersion !== "number"
        ? {}
        : { identitySchemaVersion: identityVersion }),
    };
    this.#draft.setObject(address, object, provider);
  }

  #dependency(text: string): readonly string[] {
    const { address, diagnostics } = parseAbsoluteResource(text);
    this.#diagnostics.push(...diagnostics);
    return address === undefined ? [] : [formatConfigResource(configResourceOf(address))];
  }

  #output(name: string, tree: JsonObject): void {
    let type: ReturnType<typeof decodeType>;
    try {
      type = decodeType(JSON.stringify(tree["type"] ?? null));
    } catch (error) {
      if (!(error instanceof CtyError)) throw error;
      return this.#error(
        "Invalid output value type in state",
        `The state file has an invalid type specification for output ${goQuote(name)}: ${error.message}.`,
      );
    }
    try {
      const value = decode(JSON.stringify(tree["value"] ?? null), type);
      const deprecated = textOf(tree["deprecated"]);
      this.#draft.setOutput(name, { value, sensitive: tree["sensitive"] === true, ...(deprecated === "" ? {} : { deprecated }) });
    } catch (error) {
      if (!(error instanceof CtyError)) throw error;
      this.#error(
        "Invalid output value saved in state",
        `The state file has an invalid value for output ${goQuote(name)}: ${error.message}.`,
      );
    }
  }
}

const noPaths: ReturnType<typeof decodeSensitivePaths> = { paths: [], diagnostics: [] };

/** The attributes of an object in either form; an empty object if they are absent. */
function attributesIn(tree: JsonObject): Pick<StateObject, "attributes" | "attributesFlat"> {
  const attributes = objectOf(tree["attributes"]);
  if (attributes !== undefined) return { attributes };
  const flat = objectOf(tree["attributes_flat"]);
  return flat === undefined ? { attributes: {} } : { attributesFlat: flat as Readonly<Record<string, string>> };
}

/** Reads a check result. Results of an unrecognized kind, such as one of a later version, are omitted. */
function checkResult(tree: JsonObject): readonly CheckResult[] {
  const kind = checkableKindOf(tree["object_kind"]);
  if (kind === undefined) return [];
  const objects = Array.isArray(tree["objects"])
    ? arrayOf(tree["objects"]).map((each) => {
        const object = objectOf(each) ?? {};
        const failureMessages = arrayOf(object["failure_messages"]).map(textOf);
        return { address: textOf(object["object_addr"]), status: checkStatusOf(object["status"]), failureMessages };
      })
    : undefined;
  return [{ kind, address: textOf(tree["config_addr"]), status: checkStatusOf(tree["status"]), objects }];
}
