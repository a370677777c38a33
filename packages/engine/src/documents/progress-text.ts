// SPDX-License-Identifier: Apache-2.0
import { styleText } from "node:util";
import { formatResourceInstance, type ResourceInstanceObject } from "../address/resource.ts";
import type { ApplyAction, EngineEvent } from "../events/events.ts";
import type { ObjectIdentifier } from "../events/object-identifier.ts";
import { elapsedText, ephemeralTexts } from "./progress-words.ts";

/** The texts about the progress of a step, by action. */
const steps: Readonly<Record<ApplyAction, { readonly started: string; readonly underWay: string; readonly ended: string }>> = {
  create: { started: "Creating...", underWay: "Still creating...", ended: "Creation complete" },
  update: { started: "Modifying...", underWay: "Still modifying...", ended: "Modifications complete" },
  delete: { started: "Destroying...", underWay: "Still destroying...", ended: "Destruction complete" },
  read: { started: "Reading...", underWay: "Still reading...", ended: "Read complete" },
};

/**
 * The line that `tofu plan` and `tofu apply` print about an event of a run; undefined for events without a line.
 *
 * @param options `color`: whether the line is bold, as on a terminal. Default: false.
 * @see OpenTofu command/views, UiHook
 */
export function renderProgress(event: EngineEvent, { color = false }: { readonly color?: boolean } = {}): string | undefined {
  const strong = (text: string): string => (color ? styleText("bold", text, { validateStream: false }) : text);
  const line = lineOf(event, strong);
  return line === undefined || event.type === "provisionOutput" ? line : strong(line);
}

function lineOf(event: EngineEvent, strong: (text: string) => string): string | undefined {
  switch (event.type) {
    case "refreshStarted":
      return `${nameOf(event.address)}: Refreshing state...${suffix(event.identifier)}`;
    case "importStarted": {
      const id = "id" in event.importing ? ` [id=${event.importing.id}]` : "";
      return `${nameOf(event.address)}: Preparing import...${id}`;
    }
    case "readStarted":
      return `${nameOf(event.address)}: Reading...`;
    case "readEnded":
      return event.value === undefined ? undefined : ended(event, "read");
    case "applyStarted":
      return `${nameOf(event.address)}: ${steps[event.action].started}${suffix(event.identifier)}`;
    case "applyProgressed": {
      const { identifier, milliseconds, action } = event;
      const about = identifier === undefined ? "" : `${identifier.key}=${identifier.value}, `;
      return `${instanceOf(event.address)}: ${steps[action].underWay} [${about}${elapsedText(milliseconds)} elapsed]`;
    }
    case "applyEnded":
      return event.status === "applied" ? ended(event, event.action) : undefined;
    case "ephemeralStarted":
      return `${instanceOf(event.address)}: ${ephemeralTexts[event.action].started}`;
    case "ephemeralEnded":
      return `${instanceOf(event.address)}: ${ephemeralTexts[event.action].ended} after ${elapsedText(event.milliseconds)}`;
    case "provisionStarted":
      return `${instanceOf(event.address)}: Provisioning with '${event.provisioner}'...`;
    case "provisionOutput": {
      const text = event.output.trimEnd();
      return text === "" ? undefined : `${strong(`${instanceOf(event.address)} (${event.provisioner}):`)} ${text}`;
    }
    default:
      return undefined;
  }
}

function ended(
  event: { readonly address: ResourceInstanceObject; readonly milliseconds: number; readonly identifier?: ObjectIdentifier },
  action: ApplyAction,
): string {
  return `${instanceOf(event.address)}: ${steps[action].ended} after ${elapsedText(event.milliseconds)}${suffix(event.identifier)}`;
}

function instanceOf({ instance }: ResourceInstanceObject): string {
  return formatResourceInstance(instance);
}

function nameOf({ instance, deposed }: ResourceInstanceObject): string {
  const text = formatResourceInstance(instance);
  return deposed === undefined ? text : `${text} (deposed object ${deposed})`;
}

function suffix(identifier: ObjectIdentifier | undefined): string {
  return identifier === undefined || identifier.value === "" ? "" : ` [${identifier.key}=${identifier.value}]`;
}
