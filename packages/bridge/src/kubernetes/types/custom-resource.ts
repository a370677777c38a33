// SPDX-License-Identifier: Apache-2.0
import type { ManagementPolicy } from "../crd/management-policies.ts";

/** An object of a mapped kind, for programs that write or read such objects. {@link typeDeclarations} generates the type parameters. */
export interface CustomResource<ApiVersion extends string, Kind extends string, Parameters, Observation> {
  readonly apiVersion: ApiVersion;
  readonly kind: Kind;
  readonly metadata: WrittenMetadata;
  readonly spec: ManagedSpec<Parameters>;
  readonly status?: ManagedStatus<Observation>;
}

/** The metadata that programs write. */
export interface WrittenMetadata {
  readonly name?: string;
  readonly generateName?: string;
  readonly namespace?: string;
  readonly labels?: Readonly<Record<string, string>>;
  readonly annotations?: Readonly<Record<string, string>>;
  readonly [field: string]: unknown;
}

/**
 * The wanted state of an object. `forProvider` must have the required fields, unless `initProvider` is set, which may have them, or the policies
 * exclude creation and updates.
 */
export type ManagedSpec<Parameters> = CommonSpec &
  (
    | { readonly forProvider: Parameters; readonly initProvider?: undefined; readonly managementPolicies?: readonly ManagementPolicy[] }
    | {
        readonly forProvider: Partial<Parameters>;
        readonly initProvider: InitialParameters<Parameters>;
        readonly managementPolicies?: readonly ManagementPolicy[];
      }
    | {
        readonly forProvider: Partial<Parameters>;
        readonly initProvider?: undefined;
        readonly managementPolicies: readonly ("Observe" | "Delete" | "LateInitialize")[];
      }
  );

/** The fields of `spec` that all kinds have. */
export interface CommonSpec {
  readonly providerConfigRef?: { readonly kind?: string; readonly name: string };
  readonly writeConnectionSecretToRef?: { readonly name: string; readonly namespace?: string };
  readonly deletionPolicy?: "Delete" | "Orphan";
}

/** Parameters without required fields, at any depth. */
export type InitialParameters<Parameters> = Parameters extends readonly (infer Element)[]
  ? readonly InitialParameters<Element>[]
  : Parameters extends object
    ? { readonly [Name in keyof Parameters]?: InitialParameters<Parameters[Name]> }
    : Parameters;

/** The status that the control plane reports. */
export interface ManagedStatus<Observation> {
  readonly atProvider?: Observation;
  readonly conditions?: readonly ManagedCondition[];
  readonly observedGeneration?: number;
  readonly plan?: {
    readonly action?: string;
    readonly changes?: readonly ReportedChange[];
    readonly message?: string;
    readonly plannedAt?: string;
  };
  readonly drift?: { readonly changes?: readonly ReportedChange[]; readonly observedAt?: string };
  readonly operation?: { readonly message?: string; readonly startedAt?: string; readonly type?: string };
}

/** A condition of an object, such as `Ready` or `Synced`. */
export interface ManagedCondition {
  readonly type: string;
  readonly status: string;
  readonly reason: string;
  readonly message?: string;
  readonly lastTransitionTime: string;
  readonly observedGeneration?: number;
}

/** The change of one value. `from` and `to` are JSON texts; they are absent for sensitive and unknown values. */
export interface ReportedChange {
  readonly path: string;
  readonly from?: string;
  readonly to?: string;
  readonly sensitive?: boolean;
  readonly unknown?: boolean;
  readonly requiresReplacement?: boolean;
}

/** A configuration of a provider, for programs that write or read such objects. */
export interface ProviderConfigResource<
  ApiVersion extends string,
  Kind extends string,
  Configuration,
  Scope extends "Namespaced" | "Cluster",
> {
  readonly apiVersion: ApiVersion;
  readonly kind: Kind;
  readonly metadata: WrittenMetadata;
  readonly spec: {
    readonly configuration?: Configuration;
    readonly credentials?: Scope extends "Cluster" ? ClusterCredentials : NamespaceCredentials;
  };
  readonly status?: {
    readonly conditions?: readonly ManagedCondition[];
    readonly observedGeneration?: number;
    readonly provider?: { readonly address?: string; readonly version?: string };
    readonly users?: number;
  };
}

/** Credentials of a configuration for one namespace, whose Secrets are in it. */
export type NamespaceCredentials =
  | { readonly source: "None" }
  | { readonly source: "Secret"; readonly secretRef: { readonly name: string; readonly key: string } };

/** Credentials of a configuration for all namespaces. */
export type ClusterCredentials =
  | { readonly source: "None" | "InjectedIdentity" }
  | { readonly source: "Secret"; readonly secretRef: { readonly namespace: string; readonly name: string; readonly key: string } }
  | { readonly source: "Environment"; readonly env: { readonly name: string } }
  | { readonly source: "Filesystem"; readonly fs: { readonly path: string } };

/** A custom resource for what is only read: a data source, a function or a list. */
export interface ReadResource<ApiVersion extends string, Kind extends string, Parameters, Observation> {
  readonly apiVersion: ApiVersion;
  readonly kind: Kind;
  readonly metadata: WrittenMetadata;
  readonly spec: Pick<CommonSpec, "providerConfigRef" | "writeConnectionSecretToRef"> & {
    readonly forProvider: Parameters;
    readonly limit?: number;
    readonly includeResources?: boolean;
  };
  readonly status?: Pick<ManagedStatus<Observation>, "atProvider" | "conditions" | "observedGeneration">;
}

/** A custom resource for an ephemeral resource, whose values are in a Secret. */
export interface EphemeralSecret<ApiVersion extends string, Kind extends string, Parameters> {
  readonly apiVersion: ApiVersion;
  readonly kind: Kind;
  readonly metadata: WrittenMetadata;
  readonly spec: Pick<CommonSpec, "providerConfigRef"> & {
    readonly forProvider: Parameters;
    readonly writeSecretToRef: { readonly name: string; readonly namespace?: string };
  };
  readonly status?: Pick<ManagedStatus<never>, "conditions" | "observedGeneration"> & {
    readonly openedAt?: string;
    readonly renewAt?: string;
  };
}
