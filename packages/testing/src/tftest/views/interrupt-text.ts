// SPDX-License-Identifier: Apache-2.0
import { formatResourceInstance } from "@tenon/engine/address";
import type { UiMessage } from "@tenon/engine/documents";
import type { Interruption } from "../suite.ts";
import { formatRemainingObject, remainingObjectDocument, remainingObjects } from "./remaining-objects.ts";

/** The text after the first interrupt. */
export const stoppingText = `
Interrupt received.
Please wait for OpenTofu to exit or data loss may occur.
Gracefully shutting down...
`;

/** The text after the second interrupt. */
export const abortingText = "\nTwo interrupts received. Exiting immediately. Note that data loss may have occurred.\n";

/** The texts about the objects that an abort leaves behind. Sentences are wrapped. @see OpenTofu views, TestHuman.FatalInterruptSummary */
export function interruptionTexts(
  path: string,
  { run, source, objects, creating }: Interruption,
  wrap: (sentence: string) => string,
): readonly string[] {
  const texts = [wrap(`\nOpenTofu was interrupted while executing ${path}, and may not have performed the expected cleanup operations.\n`)];
  for (const { module, state } of objects) {
    const remaining = remainingObjects(state);
    if (remaining.length === 0) continue;
    const place = module === undefined ? "from the module under test" : `for "${module.run}" from "${module.source}"`;
    texts.push(wrap(`\nOpenTofu has already created the following resources ${place}:\n`));
    texts.push(...remaining.map((object) => `  - ${formatRemainingObject(object)}\n`));
  }
  if (creating.length === 0) return texts;
  const place = source === undefined ? "the module under test" : `"${source}"`;
  const sentence = `\nOpenTofu was in the process of creating the following resources for "${run}" from ${place}, and they may not have been destroyed:\n`;
  return [...texts, wrap(sentence), ...creating.map((instance) => `  - ${formatResourceInstance(instance)}\n`)];
}

/** The objects that an abort leaves behind, in the log. @see OpenTofu views, TestJSON.FatalInterruptSummary */
export function interruptionDocument({ objects, creating }: Interruption): UiMessage {
  const described = objects.map(({ module, state }) => ({ module, documents: remainingObjects(state).map(remainingObjectDocument) }));
  const existing = described.filter(({ documents }) => documents.length > 0);
  const root = existing.find(({ module }) => module === undefined);
  const others = existing.flatMap(({ module, documents }) => (module === undefined ? [] : [[module.run, documents] as const]));
  return {
    ...(root !== undefined && { state: root.documents }),
    ...(others.length > 0 && { states: Object.fromEntries(others) }),
    ...(creating.length > 0 && { planned: creating.map(formatResourceInstance) }),
  };
}
