// SPDX-License-Identifier: Apache-2.0
import { parseProviderArguments, providerUsage, type ProviderSelection } from "../../provider/provider-selection.ts";
import { componentFlags, componentUsage, readComponentArguments, type ComponentArguments } from "./component-flags.ts";
import { invalidArguments, readFlags } from "./flags.ts";
import { kindFlags, kindUsage, readKindArguments, type KindArguments } from "./kind-flags.ts";

/** Options of the command `tenon-kubernetes-operator`. */
export interface OperatorOptions extends KindArguments {
  readonly selection: ProviderSelection;
  /** Name of the operator and its objects. */
  readonly name: string;
  readonly components: readonly ComponentArguments[];
  /** Path of a file with the provider's configuration, as YAML or JSON. Default: the configurations of `ProviderConfig` objects. */
  readonly settings?: string;
  /** Options of the install manifest; absent unless it is to be printed. */
  readonly install?: InstallArguments;
  /** Options of the migration of definitions; absent unless they are to be migrated. */
  readonly migration?: MigrationArguments;
}

/** Options of the migration of definitions. */
export interface MigrationArguments {
  /** Namespace of the operator. Default: its name. */
  readonly namespace?: string;
}

/** Options of the install manifest. */
export interface InstallArguments {
  readonly image: string;
  readonly namespace?: string;
  readonly watchNamespace?: string;
  readonly replicas?: number;
  readonly graceSeconds?: number;
  /** Arguments with which the Deployment runs the operator. */
  readonly args: readonly string[];
}

/** Usage text of the command. */
export const operatorUsage: string = `tenon-kubernetes-operator <provider> --group <API group> [options]

Runs an operator for the resource types of a provider. With --manifest, prints all objects that the operator needs instead. With --migrate, installs
the definitions in the cluster, or upgrades them and converts the objects to the provider's present schema; the operator must not be running then.

  <provider>           ${providerUsage}
${kindUsage}
${componentUsage}
  --name <name>        name of the operator and its objects; default: <type of the provider>-operator
  --settings <file>    YAML or JSON with the configuration of the provider; default: that of ProviderConfig objects

  --migrate            upgrades the definitions and objects in the cluster
  --manifest           prints the install manifest: definitions, namespace, ServiceAccount, roles, Deployment
  --image <image>      image that has this command as its entry point
  --namespace <name>   namespace of the operator, also for --migrate; default: its name
  --watch <namespace>  namespace whose custom resources are managed; default: all
  --replicas <n>       number of replicas; default: 1
  --grace <seconds>    time from SIGTERM to SIGKILL; default: 60`;

const installFlags = ["--image", "--namespace", "--watch", "--replicas", "--grace"];

/**
 * Reads the arguments of the command.
 *
 * @throws BridgeError `INVALID_ARGUMENTS`
 */
export function readOperatorOptions(args: readonly string[]): OperatorOptions {
  const flags = readFlags(args, [...kindFlags, ...componentFlags, ...installFlags, "--name", "--settings"], ["--manifest", "--migrate"]);
  const selection = parseProviderArguments(flags.others);
  const settings = flags.last("--settings");
  const components = readComponentArguments(flags);
  const [reading] = components.filter(({ names }) => names.length > 0);
  if (settings !== undefined && reading !== undefined) {
    throw invalidArguments(`the kinds of --${reading.component} need ProviderConfig objects, so they cannot be used with --settings`);
  }
  const common = {
    ...readKindArguments(flags),
    selection,
    components,
    name: flags.last("--name") ?? `${typeOf(selection)}-operator`,
    ...(settings === undefined ? {} : { settings }),
  };
  if (flags.has("--manifest")) return { ...common, install: installArguments(args, flags.last) };
  const isMigration = flags.has("--migrate");
  const superfluous = installFlags.find((flag) => flags.last(flag) !== undefined && !(isMigration && flag === "--namespace"));
  if (superfluous !== undefined) throw invalidArguments(`the flag ${superfluous} is for --manifest`);
  if (!isMigration) return common;
  const namespace = flags.last("--namespace");
  return { ...common, migration: namespace === undefined ? {} : { namespace } };
}

function installArguments(args: readonly string[], last: (flag: string) => string | undefined): InstallArguments {
  const image = last("--image");
  if (image === undefined) throw invalidArguments("the flag --image is missing: it names the image of the operator");
  const [namespace, watchNamespace] = [last("--namespace"), last("--watch")];
  const [replicas, graceSeconds] = [numberOf("--replicas", last("--replicas")), numberOf("--grace", last("--grace"))];
  return {
    image,
    ...(namespace === undefined ? {} : { namespace }),
    ...(watchNamespace === undefined ? {} : { watchNamespace }),
    ...(replicas === undefined ? {} : { replicas }),
    ...(graceSeconds === undefined ? {} : { graceSeconds }),
    args: runArguments(args),
  };
}

/** Returns the arguments without those of the manifest. */
function runArguments(args: readonly string[]): readonly string[] {
  const kept: string[] = [];
  for (let at = 0; at < args.length; at += 1) {
    const [flag = ""] = args[at]!.split("=");
    if (flag === "--manifest") continue;
    if (!installFlags.includes(flag)) kept.push(args[at]!);
    else if (args[at] === flag) at += 1;
  }
  return kept;
}

function numberOf(flag: string, text: string | undefined): number | undefined {
  if (text === undefined) return undefined;
  if (!/^[1-9]\d{0,4}$/.test(text)) throw invalidArguments(`the flag ${flag} needs a positive number, and not ${text}`);
  return Number(text);
}

/** The type of the selected provider: the last part of its address or of its file name. */
function typeOf({ source }: ProviderSelection): string {
  const text = source.kind === "address" ? source.address : source.path.replace(/^.*terraform-provider-/, "").replace(/_v\d.*$/, "");
  return text.slice(text.lastIndexOf("/") + 1).toLowerCase();
}
