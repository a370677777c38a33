// SPDX-License-Identifier: Apache-2.0
import { bool, get, isKnown, isNull, list, number, string, type Type, type Value } from "@tenon/cty";
import { createAttribute, createSchema, type Block, type Diagnostic } from "@tenon/schema";
import { localExecSchema } from "../configuration/local-exec-schema.ts";

function blockOf(required: Readonly<Record<string, Type>>, optional: Readonly<Record<string, Type>>): Block {
  const attributes = [
    ...Object.entries(required).map(([name, type]) => [name, createAttribute({ type, required: true })] as const),
    ...Object.entries(optional).map(([name, type]) => [name, createAttribute({ type, optional: true })] as const),
  ];
  return createSchema({ attributes: Object.fromEntries(attributes) }).block;
}

/** The arguments of `connection` blocks, of all connection types together. @see OpenTofu communicator/shared, ConnectionBlockSupersetSchema */
export const connectionSchema: Block = blockOf(
  { host: string },
  {
    type: string,
    user: string,
    password: string,
    port: number,
    timeout: string,
    script_path: string,
    target_platform: string,
    private_key: string,
    certificate: string,
    host_key: string,
    agent: bool,
    agent_identity: string,
    proxy_scheme: string,
    proxy_host: string,
    proxy_port: number,
    proxy_user_name: string,
    proxy_user_password: string,
    bastion_host: string,
    bastion_host_key: string,
    bastion_port: number,
    bastion_user: string,
    bastion_password: string,
    bastion_private_key: string,
    bastion_certificate: string,
    https: bool,
    insecure: bool,
    cacert: string,
    use_ntlm: bool,
  },
);

/** The schema and validation of a provisioner. */
interface ProvisionerType {
  readonly schema: Block;
  /** Returns the errors of a configuration, which can have unknown values. */
  readonly validate: (config: Value) => readonly Diagnostic[];
}

/** The provisioners of OpenTofu, by type. */
export const provisionerTypes: ReadonlyMap<string, ProvisionerType> = new Map([
  [
    "file",
    {
      schema: blockOf({ destination: string }, { source: string, content: string }),
      validate: (config: Value): readonly Diagnostic[] => {
        const errors: Diagnostic[] = [];
        if (isBlank(get(config, "destination")))
          errors.push(error("Invalid file provisioner configuration", "The destination must be a non-empty string."));
        const given = ["source", "content"].filter((name) => !isAbsent(get(config, name)));
        if (given.length === 2) errors.push(error("Cannot set both 'source' and 'content'", ""));
        if (given.length === 0) errors.push(error("Must provide one of 'source' or 'content'", ""));
        return errors;
      },
    },
  ],
  [
    "local-exec",
    {
      schema: localExecSchema,
      validate: (config: Value): readonly Diagnostic[] =>
        isBlank(get(config, "command")) ? [error("Invalid local-exec provisioner command", "The command must be a non-empty string.")] : [],
    },
  ],
  [
    "remote-exec",
    {
      schema: blockOf({}, { inline: list(string), script: string, scripts: list(string) }),
      validate: (config: Value): readonly Diagnostic[] => {
        const given = ["inline", "script", "scripts"].filter((name) => !isAbsent(get(config, name)));
        if (given.length === 1) return [];
        return [error("Invalid remote-exec provisioner configuration", 'Only one of "inline", "script", or "scripts" must be set')];
      },
    },
  ],
]);

/** Whether a value is known to be null. */
function isAbsent(value: Value): boolean {
  return isKnown(value) && isNull(value);
}

function isBlank(value: Value): boolean {
  return isKnown(value) && (isNull(value) || value.payload === "");
}

function error(summary: string, detail: string): Diagnostic {
  return { severity: "error", summary, detail };
}
