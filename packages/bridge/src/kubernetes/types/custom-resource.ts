// SPDX-License-Identifier: Apache-2.0
import type { ManagementPolicy } from "../crd/management-policies.ts";

/** Object of a kind that is mapped from a resource type, for programs that write or read such objects. */
export interface CustomResource<ApiVersion extends string, Kind extends string, Parameters, Observation> {
  readonly apiVersion: ApiVersion;
  readonly kind: Kind;
  readonly metadata: WrittenMetadata;
  readonly spec: ManagedSpec<Parameters>;
  readonly status?: ManagedStatus<Observation>;
}

/** The parts of an object's metadata that programs write. */
export interface WrittenMetadata {
  readonly name?: string;
  readonly generateName?: string;
  readonly namespace?: string;
  readonly labels?: Readonly<Record<string, string>>;
  readonly annotations?: Readonly<Record<string, string>>;
  readonly [field: string]: unknown;
}

/**
 * What an object asks for. Required fields must be in `forProvider`, unless `initProvider` is there to have them, or the policies exclude
 * changes of the resource.
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

/** Parts of `spec` that all kinds have. */
export interface CommonSpec {
  readonly providerConfigRef?: { readonly kind?: string; readonly name: string };
  readonly writeConnectionSecretToRef?: { readonly name: string; readonly namespace?: string };
  readonly deletionPolicy?: "Delete" | "Orphan";
}

/** Parameters of which nothing is required, at any depth. */
export type InitialParameters<Parameters> = Parameters extends readonly (infer Element)[]
  ? readonly InitialParameters<Element>[]
  : Parameters extends object
    ? { readonly [Name in keyof Parameters]?: InitialParameters<Parameters[Name]> }
    : Parameters;

/** What the control plane reports about an object. */
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

/** Condition of an object, such as `Ready` and `Synced`. */
export interface ManagedCondition {
  readonly type: string;
  readonly status: string;
  readonly reason: string;
  readonly message?: string;
  readonly lastTransitionTime: string;
  readonly observedGeneration?: number;
}

/** Change of one value. Both values are JSON texts; they are absent where they are sensitive or not known. */
export interface ReportedChange {
  readonly path: string;
  readonly from?: string;
  readonly to?: string;
  readonly sensitive?: boolean;
  readonly unknown?: boolean;
  readonly requiresReplacement?: boolean;
}
