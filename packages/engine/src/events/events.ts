// SPDX-License-Identifier: Apache-2.0
import type { Value } from "@tenon/cty";
import type { InstallEvent } from "@tenon/plugin-host/install";
import type { ResourceInstanceObject } from "../address/resource.ts";
import type { ChangeAction, DeferredChange, Importing, PlannedChanges, ResourceChange } from "../change/planned-changes.ts";
import type { AddressedDiagnostic } from "../provider/provider-diagnostic.ts";
import type { InterruptedChange } from "../state/journal/journal-record.ts";
import type { RecoveredObject } from "../state/journal/merge-journal.ts";
import type { State, StateOutput } from "../state/state.ts";
import type { ObjectIdentifier } from "./object-identifier.ts";

/** The step of an apply that concerns one object: a replacement has two. */
export type ApplyAction = "create" | "update" | "delete" | "read";

/** A call of an ephemeral resource's provider. */
export type EphemeralAction = "open" | "renew" | "close";

/** An event of a run. Listeners get events in the order in which they happen. */
export type EngineEvent =
  /** A required provider is installed, step by step. */
  | { readonly type: "providerInstallation"; readonly step: InstallEvent }
  /** A provider is about to read an object of the state, or one that was just imported. */
  | { readonly type: "refreshStarted"; readonly address: ResourceInstanceObject; readonly identifier?: ObjectIdentifier }
  | {
      readonly type: "refreshEnded";
      readonly address: ResourceInstanceObject;
      /** Whether the provider reported errors. */
      readonly failed: boolean;
      /** The object now. Undefined if it no longer exists, or after errors. */
      readonly value: Value | undefined;
      readonly identifier?: ObjectIdentifier;
    }
  /** A provider is about to import the object of an `import` block. */
  | { readonly type: "importStarted"; readonly address: ResourceInstanceObject; readonly importing: Importing }
  /** A data source is about to be read. */
  | { readonly type: "readStarted"; readonly address: ResourceInstanceObject }
  | {
      readonly type: "readEnded";
      readonly address: ResourceInstanceObject;
      /** Undefined after errors. */
      readonly value: Value | undefined;
      readonly milliseconds: number;
      readonly identifier?: ObjectIdentifier;
    }
  /** The change of an object is planned. No-ops are included. */
  | { readonly type: "planned"; readonly change: ResourceChange }
  /** The change of an object is left to a later plan. */
  | ({ readonly type: "deferred" } & DeferredChange)
  /** A plan is made, also with errors. A run with an invalid configuration has no such event, only diagnostics. */
  | { readonly type: "planFinished"; readonly planned: PlannedChanges }
  /** The apply of a plan begins. */
  | { readonly type: "planApplying"; readonly planned: PlannedChanges }
  /** A step of an apply begins: a provider is about to change an object, or to read a data source. */
  | {
      readonly type: "applyStarted";
      readonly address: ResourceInstanceObject;
      readonly action: ApplyAction;
      readonly planned: ChangeAction;
      readonly identifier?: ObjectIdentifier;
    }
  /** A step of an apply is still under way. Emitted every ten seconds. */
  | {
      readonly type: "applyProgressed";
      readonly address: ResourceInstanceObject;
      readonly action: ApplyAction;
      readonly milliseconds: number;
      readonly identifier?: ObjectIdentifier;
    }
  | {
      readonly type: "applyEnded";
      readonly address: ResourceInstanceObject;
      readonly action: ApplyAction;
      readonly planned: ChangeAction;
      readonly status: "applied" | "failed";
      /** The object that exists now; undefined if none exists. */
      readonly value: Value | undefined;
      readonly milliseconds: number;
      readonly identifier?: ObjectIdentifier;
    }
  /** An ephemeral resource is about to be opened, renewed or closed. */
  | { readonly type: "ephemeralStarted"; readonly address: ResourceInstanceObject; readonly action: EphemeralAction }
  | {
      readonly type: "ephemeralEnded";
      readonly address: ResourceInstanceObject;
      readonly action: EphemeralAction;
      readonly milliseconds: number;
    }
  /** A provisioner is about to run. `provisioner` is its type. */
  | { readonly type: "provisionStarted"; readonly address: ResourceInstanceObject; readonly provisioner: string }
  /** A line of a provisioner's output, without the line feed. */
  | { readonly type: "provisionOutput"; readonly address: ResourceInstanceObject; readonly provisioner: string; readonly output: string }
  | { readonly type: "provisionEnded"; readonly address: ResourceInstanceObject; readonly provisioner: string; readonly failed: boolean }
  /** A step of an apply has changed the state. `state` is the state when it is first read. */
  | { readonly type: "stateChanged"; readonly state: State }
  /** A finished change of an earlier apply, which was interrupted, has been taken from its journal. */
  | { readonly type: "changeRecovered"; readonly address: ResourceInstanceObject; readonly kind: RecoveredObject["kind"] }
  /** A change of an earlier apply has no known outcome. */
  | { readonly type: "changeInterrupted"; readonly change: InterruptedChange }
  /** The caller has asked the apply to end. No further step is started. */
  | { readonly type: "stopping" }
  /** An error or a warning, at the end of a plan or of an apply. */
  | { readonly type: "diagnostic"; readonly diagnostic: AddressedDiagnostic; readonly sources: ReadonlyMap<string, string | Uint8Array> }
  /** The apply of a plan has ended. */
  | { readonly type: "planApplied"; readonly outputs: ReadonlyMap<string, StateOutput>; readonly errored: boolean };

/** Receives the events of a run. An exception that it throws ends the run. */
export type EventListener = (event: EngineEvent) => void;
