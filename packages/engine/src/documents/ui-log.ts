// SPDX-License-Identifier: Apache-2.0
import { compareCodePoints } from "@tenon/cty/unstable/payload";
import { formatResourceInstance, type ResourceInstance } from "../address/resource.ts";
import type { Drift, PlannedChanges, ResourceChange } from "../change/planned-changes.ts";
import { opentofuVersion } from "../opentofu-version.ts";
import type { ApplyAction, EngineEvent } from "../events/events.ts";
import type { ObjectIdentifier } from "../events/object-identifier.ts";
import type { JsonTree } from "../state/json-tree.ts";
import { diagnosticDocument } from "./diagnostic-document.ts";
import { elapsedText, ephemeralTexts, stepTexts, wholeSeconds } from "./progress-words.ts";
import { ApplyCounts, countChanges, summaryText, type ChangeCounts, type SummarizedOperation } from "./change-summary.ts";
import type { JsonDocument } from "./state-json.ts";
import {
  appliedOutputs,
  changeJson,
  identifierJson,
  identifierText,
  isApplied,
  isPlanned,
  plannedOutputs,
  resourceJson,
} from "./ui-log-json.ts";

/** Options of a {@link UiLog}. */
export interface UiLogOptions {
  /** Gives the time of each message. Default: the clock of the process. */
  readonly now?: () => Date;
  /** The version of OpenTofu in the first message. Default: the version that the engine follows. */
  readonly version?: string;
  /** Whether the log is that of `tofu destroy`, which ends with "Destroy complete!" and without outputs. Default: false. */
  readonly destroys?: boolean;
}

/** A message of the UI log. */
export type UiMessage = JsonDocument;

/**
 * Converts the events of a run to messages of the UI log, version 1.2, which `tofu plan -json` and `tofu apply -json` print. From the events of
 * a plan and of its apply it makes the log of `tofu apply -auto-approve -json`, from those of an apply alone the log of the apply of a saved
 * plan.
 *
 * @see OpenTofu command/views, JSONView, OperationJSON and jsonHook
 *
 * @example
 * const log = new UiLog();
 * const lines = [log.version()];
 * await using plan = await workspace.plan({ onEvent: (event) => lines.push(...log.messages(event)) });
 * lines.map(({ type }) => type); // => [ 'version', 'change_summary' ]
 */
export class UiLog {
  readonly #now: () => Date;
  readonly #version: string;
  readonly #destroys: boolean;
  readonly #counts = new ApplyCounts();
  #isPlanShown = false;

  constructor({ now = () => new Date(), version = opentofuVersion, destroys = false }: UiLogOptions = {}) {
    this.#now = now;
    this.#version = version;
    this.#destroys = destroys;
  }

  /** The first message of a log, with the version. */
  version(): UiMessage {
    return this.#message("info", `OpenTofu ${this.#version}`, { tofu: this.#version, type: "version", ui: "1.2" });
  }

  /** The messages about an event: none for some events, several for the end of a plan. */
  messages(event: EngineEvent): readonly UiMessage[] {
    switch (event.type) {
      case "refreshStarted":
        return [this.#about(event, "refresh_start", `Refreshing state...${identifierText(event.identifier)}`)];
      case "refreshEnded":
        if (event.failed) return [];
        return [this.#about(event, "refresh_complete", `Refresh complete${identifierText(event.identifier)}`)];
      case "readStarted":
        return [this.#step({ ...event, action: "read" }, "apply_start")];
      case "readEnded":
        return event.value === undefined ? [] : [this.#step({ ...event, action: "read" }, "apply_complete")];
      case "applyStarted":
        return [this.#step(event, "apply_start")];
      case "applyProgressed":
        return [this.#step(event, "apply_progress")];
      case "applyEnded":
        this.#counts.count(event);
        if (event.status === "applied") return [this.#step(event, "apply_complete")];
        // Of a data source that could not be read, and of a deposed object that could not be destroyed, OpenTofu reports only the diagnostic.
        return event.action === "read" || event.address.deposed !== undefined
          ? []
          : [this.#step({ ...event, identifier: undefined }, "apply_errored")];
      case "ephemeralStarted":
        return [this.#ephemeral(event, "ephemeral_action_started", ephemeralTexts[event.action].started)];
      case "ephemeralEnded":
        return [this.#ephemeral(event, "ephemeral_action_complete", ephemeralTexts[event.action].ended)];
      case "provisionStarted":
        return [this.#provision(event, "provision_start", `: Provisioning with '${event.provisioner}'...`)];
      case "provisionOutput": {
        const lines = event.output.split(/\r?\n|\r/).map((line) => line.trimEnd());
        return lines
          .filter((line) => line !== "")
          .map((line) => this.#provision(event, "provision_progress", `: (${event.provisioner}): ${line}`, { output: line }));
      }
      case "provisionEnded": {
        const [type, word] = event.failed ? ["provision_errored", "errored"] : ["provision_complete", "complete"];
        return [this.#provision(event, type, `: (${event.provisioner}) Provisioning ${word}`)];
      }
      case "planFinished":
        this.#isPlanShown = true;
        return this.#plan(event.planned);
      case "planApplying":
        this.#counts.begin(event.planned);
        return this.#isPlanShown ? [] : event.planned.resources.filter(isApplied).map((change) => this.#change(change));
      case "diagnostic": {
        const { severity, summary } = event.diagnostic;
        const diagnostic = diagnosticDocument(event.diagnostic, event.sources);
        const [level, word] = severity === "warning" ? ["warn", "Warning"] : ["error", "Error"];
        return [this.#message(level, `${word}: ${summary}`, { diagnostic, type: "diagnostic" })];
      }
      case "planApplied":
        if (event.errored) return [];
        return [
          this.#summary(this.#destroys ? "destroy" : "apply", this.#counts),
          ...(this.#destroys ? [] : [this.#outputs(appliedOutputs(event.outputs))]),
        ];
      case "stopping":
        return [this.#message("info", "Stopping operation...", { type: "log" })];
      default:
        return [];
    }
  }

  #plan(planned: PlannedChanges): readonly UiMessage[] {
    const { resources, outputs, drift, mode } = planned;
    return [
      ...drift.filter(({ action }) => action !== "noOp" || mode === "refreshOnly").map((one) => this.#drift(one)),
      ...resources.filter(isPlanned).map((change) => this.#change(change)),
      this.#summary("plan", countChanges(planned)),
      ...(outputs.length > 0 ? [this.#outputs(plannedOutputs(outputs))] : []),
    ];
  }

  #change(change: ResourceChange): UiMessage {
    const json = changeJson(change);
    const text = `${formatResourceInstance(change.address.instance)}: Plan to ${json.action}`;
    return this.#message("info", text, { change: json, type: "planned_change" });
  }

  #drift(drift: Drift): UiMessage {
    const json = changeJson(drift);
    const text = `${formatResourceInstance(drift.address.instance)}: Drift detected (${json.action})`;
    return this.#message("info", text, { change: json, type: "resource_drift" });
  }

  #summary(operation: SummarizedOperation, counts: ChangeCounts): UiMessage {
    const { add, change, import: imported, remove, forget } = counts;
    const changes = { add, change, import: imported, remove, forget, operation };
    return this.#message("info", summaryText(operation, counts), { changes, type: "change_summary" });
  }

  #outputs(outputs: readonly (readonly [string, JsonTree])[]): UiMessage {
    const sorted = outputs.toSorted(([a], [b]) => compareCodePoints(a, b));
    return this.#message("info", `Outputs: ${outputs.length}`, { outputs: Object.fromEntries(sorted), type: "outputs" });
  }

  #about(
    { address, identifier }: { readonly address: Located; readonly identifier?: ObjectIdentifier | undefined },
    type: string,
    text: string,
  ): UiMessage {
    const hook = { resource: resourceJson(address.instance), ...identifierJson(identifier) };
    return this.#message("info", `${formatResourceInstance(address.instance)}: ${text}`, { hook, type });
  }

  #step(
    event: {
      readonly address: Located;
      readonly action: ApplyAction;
      readonly milliseconds?: number;
      readonly identifier?: ObjectIdentifier | undefined;
    },
    type: "apply_start" | "apply_progress" | "apply_complete" | "apply_errored",
  ): UiMessage {
    const { address, action, milliseconds = 0, identifier } = event;
    const words = stepTexts[action];
    const elapsed = elapsedText(milliseconds);
    const text = {
      apply_start: `${words.started}...${identifierText(identifier)}`,
      apply_progress: `Still ${words.underWay}... [${elapsed} elapsed]`,
      apply_complete: `${words.noun} complete after ${elapsed}${identifierText(identifier)}`,
      apply_errored: `${words.noun} errored after ${elapsed}`,
    }[type];
    const hook = {
      resource: resourceJson(address.instance),
      action,
      ...(type === "apply_progress" ? {} : identifierJson(identifier)),
      ...(type === "apply_start" ? {} : { elapsed_seconds: wholeSeconds(milliseconds) }),
    };
    return this.#message("info", `${formatResourceInstance(address.instance)}: ${text}`, { hook, type });
  }

  #ephemeral({ address }: { readonly address: Located }, type: string, text: string): UiMessage {
    const hook = { resource: resourceJson(address.instance), Msg: text };
    return this.#message("info", `${formatResourceInstance(address.instance)}: ${text}`, { hook, type });
  }

  #provision(
    { address, provisioner }: { readonly address: Located; readonly provisioner: string },
    type: string,
    text: string,
    more: JsonDocument = {},
  ): UiMessage {
    const hook = { resource: resourceJson(address.instance), provisioner, ...more };
    return this.#message("info", `${formatResourceInstance(address.instance)}${text}`, { hook, type });
  }

  #message(level: string, text: string, content: JsonDocument): UiMessage {
    const time = this.#now().toISOString().replace("Z", "000Z");
    return { "@level": level, "@message": text, "@module": "tofu.ui", "@timestamp": time, ...content };
  }
}

interface Located {
  readonly instance: ResourceInstance;
}

/** Converts the events of a run to its UI log: the first message, and the messages about each event. @see {@link UiLog} */
export async function* uiLog(
  events: Iterable<EngineEvent> | AsyncIterable<EngineEvent>,
  options: UiLogOptions = {},
): AsyncGenerator<UiMessage> {
  const log = new UiLog(options);
  yield log.version();
  for await (const event of events) yield* log.messages(event);
}
