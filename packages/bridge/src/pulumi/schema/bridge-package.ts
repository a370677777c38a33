// SPDX-License-Identifier: Apache-2.0
import type { Provider } from "@tenon/schema";
import { providerSchemas } from "../../provider/provider-schemas.ts";
import type { PackageMapping } from "../mapping/mapping.ts";
import { mapPackage } from "../mapping/map-package.ts";
import type { RecordedNames } from "../mapping/name-register.ts";
import { packageSchema, type PackageTexts } from "./package-schema.ts";

/** Options of {@link bridgePackage}. */
export interface BridgeOptions extends PackageTexts {
  /** Name of the package, such as `random`. */
  readonly name: string;
  /** Version of the package: a full semantic version. */
  readonly version: string;
  /** Whether the package includes the resource type, data source, ephemeral resource or function with a name. Default: all are included. */
  readonly includes?: (name: string) => boolean;
  /** Names that the package has had before, as {@link recordedNames} returns them. Default: none. */
  readonly names?: RecordedNames;
  /**
   * Whether numbers that a double cannot hold exactly are strings in outputs. Properties of numbers have the type number or string then. Default:
   * false; such numbers are rounded in outputs.
   */
  readonly exactNumbers?: boolean;
}

/** A provider as a Pulumi package. */
export interface BridgedPackage {
  readonly mapping: PackageMapping;
  /** Whether the provider says that its schemas are the same in each process. */
  readonly isConstant: boolean;
  /** Writes the Pulumi schema as JSON text. @param texts - texts that replace those of the options. */
  schema(texts?: PackageTexts): string;
}

/** Returns the names of a package that must be kept. Pass them as `names` when the package is mapped again. */
export function recordedNames({ deviations }: PackageMapping): RecordedNames {
  return Object.fromEntries(deviations.map(({ subject, ours }) => [subject, ours]));
}

/**
 * Maps a provider to a Pulumi package. The provider needs no configuration.
 *
 * @throws BridgeError `PROVIDER_FAILED` if the provider does not return its schemas.
 */
export async function bridgePackage(provider: Provider, options: BridgeOptions): Promise<BridgedPackage> {
  const { schemas, identities } = await providerSchemas(provider, `package ${options.name}`);
  const mapping = mapPackage({ ...options, schemas, identities });
  const isConstant = schemas.serverCapabilities?.getProviderSchemaOptional ?? false;
  return { mapping, isConstant, schema: (texts) => packageSchema(mapping, { ...options, ...texts }) };
}
