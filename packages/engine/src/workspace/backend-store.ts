// SPDX-License-Identifier: Apache-2.0
import { CtyError, isValue, isWhollyKnown, nullOf, objectOf, of, get, string, unmarkDeep, type Value } from "@tenon/cty";
import { convert } from "@tenon/cty/convert";
import { goQuote } from "@tenon/cty/unstable/payload";
import { hasErrors, parseExpression, type Body, type Diagnostic } from "@tenon/hcl";
import { evaluate } from "@tenon/hcl/evaluate";
import { configType, type Block, type Diagnostic as BackendDiagnostic } from "@tenon/schema";
import type { Configuration } from "../configuration/configuration.ts";
import type { BackendBlock } from "../configuration/terraform-block.ts";
import { conversionText } from "../configuration/value-path.ts";
import { EngineError } from "../error.ts";
import { decoderSpec } from "../evaluation/decoder-spec.ts";
import { containsMarkOf, EPHEMERAL, SENSITIVE } from "../marks/value-marks.ts";
import { absentBackendDetail, backendTypes } from "../state/backends/backend-types.ts";
import type { BackendEnvironment, BackendType } from "../state/backends/backend.ts";
import type { StateStore } from "../state/stores/state-store.ts";

/** Values of backend arguments, which replace those of a `backend` block. Strings are converted like the values of `-backend-config`. */
export type BackendArguments = Readonly<Record<string, Value | string>>;

/** Options of {@link backendStore}. */
export interface BackendStoreOptions extends Partial<BackendEnvironment> {
  /** Further arguments. They replace arguments of the block with the same name. Default: none. */
  readonly arguments?: BackendArguments;
  /** Further types of backends by name. They replace built-in types with the same name. */
  readonly backends?: Readonly<Record<string, BackendType>>;
}

/** The store of the `backend` block of a configuration. */
export interface BackendStore {
  /** The store; absent if the configuration has no `backend` block, and after errors. */
  readonly store?: StateStore;
  readonly diagnostics: readonly Diagnostic[];
}

/**
 * Opens the store that the `backend` block of a configuration describes, without connecting to it. As in OpenTofu, the block may refer to
 * variables and local values. Relative paths start from `workingDirectory`, which is the current folder by default.
 *
 * A `cloud` block is an error, and so is a backend type that the engine does not have.
 *
 * @see OpenTofu internal/command, Meta.backendInitFromConfig
 */
export function backendStore(configuration: Configuration, options: BackendStoreOptions = {}): BackendStore {
  const { backend, cloud } = configuration.module;
  if (cloud !== undefined) {
    const detail =
      "The `cloud` block is not available here: this engine does not use HCP Terraform or another remote service to run operations. Use a `backend` block, or pass a state store.";
    return { diagnostics: [{ severity: "error", summary: "Unsupported cloud block", detail, subject: cloud.range }] };
  }
  if (backend === undefined) return { diagnostics: unusedArguments(options.arguments) };
  return new BackendOpener(configuration, backend, options).open();
}

/** @see OpenTofu internal/command, InitCommand.initBackend */
function unusedArguments(given: BackendArguments = {}): readonly Diagnostic[] {
  if (Object.keys(given).length === 0) return [];
  const detail = `-backend-config was used without a "backend" block in the configuration.

If you intended to override the default local backend configuration,
no action is required, but you may add an explicit backend block to your
configuration to clear this warning:

terraform {
  backend "local" {}
}

However, if you intended to override a defined backend, please verify that
the backend configuration is present and valid.
`;
  return [{ severity: "warning", summary: "Missing backend configuration", detail }];
}

class BackendOpener {
  readonly #configuration: Configuration;
  readonly #block: BackendBlock;
  readonly #options: BackendStoreOptions;
  readonly #environment: BackendEnvironment;
  readonly #diagnostics: Diagnostic[] = [];

  constructor(configuration: Configuration, block: BackendBlock, options: BackendStoreOptions) {
    this.#configuration = configuration;
    this.#block = block;
    this.#options = options;
    const { arguments: _, backends: __, ...environment } = options;
    this.#environment = { variables: process.env, workingDirectory: process.cwd(), ...environment };
  }

  open(): BackendStore {
    const { type, config: body } = this.#block;
    const types = new Map([...backendTypes, ...Object.entries(this.#options.backends ?? {})]);
    const backend = types.get(type);
    if (backend === undefined) return this.#unsupported(type, types);
    const schema = backend.schema(this.#environment);
    const given = this.#decode(schema);
    if (given === undefined) return { diagnostics: this.#diagnostics };
    const { config, diagnostics } = backend.prepare(given, this.#environment);
    for (const diagnostic of diagnostics) this.#diagnostics.push(located(diagnostic, body));
    if (hasErrors(this.#diagnostics)) return { diagnostics: this.#diagnostics };
    try {
      return { store: backend.open(config, this.#environment), diagnostics: this.#diagnostics };
    } catch (error) {
      if (!(error instanceof EngineError)) throw error;
      this.#diagnostics.push({ severity: "error", summary: error.message, detail: "" });
      return { diagnostics: this.#diagnostics };
    }
  }

  #unsupported(type: string, types: ReadonlyMap<string, BackendType>): BackendStore {
    const detail =
      type === "cloud"
        ? `There is no explicit backend type named "cloud". To configure cloud backend, declare a 'cloud' block instead.`
        : absentBackendDetail(type, types);
    return { diagnostics: [{ severity: "error", summary: "Unsupported backend type", detail, subject: this.#block.typeRange }] };
  }

  /** The arguments of the block, replaced and completed by those of the caller; undefined after errors. */
  #decode(schema: Block): Value | undefined {
    const { type, range, config: body } = this.#block;
    const subject = { module: [], name: `backend.${type}`, range };
    const decoded = this.#configuration.staticScope.decode(body, decoderSpec(withoutRequired(schema)), subject);
    this.#diagnostics.push(...decoded.diagnostics);
    if (hasErrors(this.#diagnostics)) return undefined;
    const marks = [
      [SENSITIVE, "sensitive"],
      [EPHEMERAL, "ephemeral"],
    ] as const;
    for (const [mark, adjective] of marks) {
      if (!containsMarkOf(decoded.value, mark)) continue;
      const detail = `The backend configuration is stored in .terraform/terraform.tfstate as well as plan files. It is recommended to instead supply ${adjective} credentials via backend specific environment variables`;
      this.#diagnostics.push({ severity: "error", summary: `Backend config contains ${adjective} values`, detail, subject: range });
      return undefined;
    }
    const [value] = unmarkDeep(decoded.value);
    if (!isWhollyKnown(value)) {
      const detail =
        "The `tofu` configuration block should contain only concrete and static values. Another diagnostic should contain more information about which part of the configuration is problematic.";
      this.#diagnostics.push({ severity: "error", summary: "Unknown values within backend definition", detail });
      return undefined;
    }
    return this.#withArguments(value, schema);
  }

  /** A configuration with the arguments of the caller. @see OpenTofu internal/command, InitCommand.backendConfigOverrideBody */
  #withArguments(config: Value, schema: Block): Value | undefined {
    const types = configType(schema).attributes;
    const values = new Map(Object.keys(types).map((name) => [name, get(config, name)]));
    for (const [name, given] of Object.entries(this.#options.arguments ?? {})) {
      const type = Object.hasOwn(schema.attributes, name) ? types[name] : undefined;
      if (type === undefined) {
        const detail = `The backend configuration argument ${goQuote(name)} given on the command line is not expected for the selected backend type.`;
        this.#diagnostics.push({ severity: "error", summary: "Invalid backend configuration argument", detail });
        continue;
      }
      try {
        const isPrimitive = ["string", "number", "bool"].includes(type.kind);
        const value = isValue(given) ? given : isPrimitive ? of(string, given) : this.#expressionValue(given, name);
        if (value !== undefined) values.set(name, value.type.kind === "dynamic" ? nullOf(get(config, name).type) : convert(value, type));
      } catch (error) {
        if (!(error instanceof CtyError)) throw error;
        const summary = "Invalid backend configuration value";
        const detail = `Invalid backend configuration argument ${name}: ${conversionText(error)}`;
        this.#diagnostics.push({ severity: "error", summary, detail });
      }
    }
    return hasErrors(this.#diagnostics) ? undefined : objectOf(values);
  }

  #expressionValue(text: string, name: string): Value | undefined {
    const parsed = parseExpression(text, `-backend-config=${name}`);
    const diagnostics = [...parsed.diagnostics, ...(hasErrors(parsed.diagnostics) ? [] : evaluate(parsed.expression).diagnostics)];
    this.#diagnostics.push(...diagnostics);
    return hasErrors(diagnostics) ? undefined : evaluate(parsed.expression).value;
  }
}

/** A schema without required arguments, because the caller or the environment may give them. */
function withoutRequired(block: Block): Block {
  const attributes = Object.entries(block.attributes).map(([name, attribute]) => {
    return [name, attribute.required ? { ...attribute, required: false, optional: true } : attribute] as const;
  });
  return { ...block, attributes: Object.fromEntries(attributes) };
}

/**
 * A diagnostic with the range of its argument. As in OpenTofu, the last step of the path counts as the name of the argument. If the block has
 * no such argument, the range is that of the block.
 */
function located({ severity, summary, detail, attribute: path }: BackendDiagnostic, body: Body): Diagnostic {
  if (path === undefined) return { severity, summary, detail };
  const step = path.at(-1);
  const name = step?.kind === "attribute" ? step.name : undefined;
  const attributes = name === undefined ? undefined : body.partialContent({ attributes: [{ name }] }).content.attributes;
  const subject = attributes?.get(name!)?.expression.range ?? body.missingItemRange();
  return { severity, summary, detail, subject };
}
