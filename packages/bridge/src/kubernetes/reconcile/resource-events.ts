// SPDX-License-Identifier: Apache-2.0
import type { Diagnostic } from "@tenon/schema";
import type { EventRecorder, ObjectEvent } from "../machinery/event/event-recorder.ts";
import { changesText } from "./change-report.ts";
import type { DriftStatus, ManagedResource, PlanStatus } from "./managed-resource.ts";
import type { OperationType } from "./operation-type.ts";
import { StepFailure } from "./step-failure.ts";

const changeEvents: Readonly<Record<OperationType, Pick<ObjectEvent, "reason" | "note">>> = {
  Create: { reason: "CreatedExternalResource", note: "the resource was created" },
  Update: { reason: "UpdatedExternalResource", note: "the resource was updated" },
  Replace: { reason: "ReplacedExternalResource", note: "the resource was replaced" },
  Delete: { reason: "DeletedExternalResource", note: "the resource was deleted" },
};

/** Events about the objects of a kind. Reasons are Crossplane's where it has the event. */
export class ResourceEvents {
  readonly #recorder: EventRecorder;

  constructor(recorder: EventRecorder) {
    this.#recorder = recorder;
  }

  /** A change was made. */
  changed(owner: ManagedResource, type: OperationType, diagnostics: readonly Diagnostic[]): void {
    this.warned(owner, diagnostics);
    this.#recorder.record(owner, { type: "Normal", ...changeEvents[type] });
  }

  /** The provider has warned. Equal warnings are one event with a count. */
  warned(owner: ManagedResource, diagnostics: readonly Diagnostic[]): void {
    for (const { severity, summary, detail } of diagnostics) {
      if (severity !== "warning") continue;
      const note = detail === "" ? summary : `${summary}: ${detail}`;
      this.#recorder.record(owner, { type: "Warning", reason: "ProviderWarning", note });
    }
  }

  /** A step has failed. */
  failed(owner: ManagedResource, error: unknown, note: string): void {
    const reason = error instanceof StepFailure ? error.reason : "ReconcileError";
    this.#recorder.record(owner, { type: "Warning", reason, note });
  }

  /** A change was planned. */
  planned(owner: ManagedResource, plan: PlanStatus): void {
    const note = `${plan.action}: ${changesText(plan)}`;
    this.#recorder.record(owner, { type: "Normal", reason: "PlannedExternalResourceChange", note });
  }

  /** Somebody else has changed or deleted the resource. */
  drifted(owner: ManagedResource, drift: DriftStatus): void {
    this.#recorder.record(owner, { type: "Normal", reason: "DriftDetected", note: drift.message ?? changesText(drift) });
  }

  /** The state was rebuilt by an import. @param identifier - What was imported. */
  imported(owner: ManagedResource, identifier: string): void {
    const note = `the state was rebuilt by an import of ${identifier}`;
    this.#recorder.record(owner, { type: "Normal", reason: "ImportedExternalResource", note });
  }
}
