// SPDX-License-Identifier: Apache-2.0
import { nullOf, of, toJs, type Type } from "@tenon/cty";
import { test } from "vitest";
import { createNotebook, replacing, wordSchema, type Notebook } from "../../test/notebook-provider.ts";
import { errorDiagnostic, warningDiagnostic } from "../diagnostic.ts";
import { ProviderError } from "../error.ts";
import { impliedType } from "../model/implied-type.ts";
import type { CallOptions, Provider } from "../provider/provider.ts";
import { openEphemeralResource, type OpenEphemeralOutcome } from "./ephemeral-resource.ts";
import { ephemeralResourceType } from "./resource-type.ts";

const config = of<Type>(impliedType(wordSchema.block), { of: "the day", word: null });

async function open(
  parts: Partial<Provider> = {},
  options: CallOptions = {},
): Promise<{ readonly outcome: OpenEphemeralOutcome; readonly notebook: Notebook }> {
  const notebook = createNotebook();
  const type = await ephemeralResourceType(replacing(notebook.provider, parts), "word");
  notebook.calls.length = 0;
  return { outcome: await openEphemeralResource(type, config, options), notebook };
}

async function until(condition: () => boolean): Promise<void> {
  while (!condition()) await new Promise((resolve) => setTimeout(resolve, 1));
}

const count = (notebook: Notebook, call: string): number => notebook.calls.filter((made) => made === call).length;

test("renews a resource at the times that the provider sets, and closes it with the last private data", async ({ expect }) => {
  const { outcome, notebook } = await open();
  expect(toJs(outcome.resource!.result)).toEqual({ of: "the day", word: "open" });
  await until(() => count(notebook, "renewEphemeralResource") === 3);
  expect(await outcome.resource!.close()).toEqual([]);
  expect(notebook.calls).toEqual([
    "validateEphemeralResourceConfig",
    "openEphemeralResource",
    "renewEphemeralResource",
    "renewEphemeralResource",
    "renewEphemeralResource",
    "closeEphemeralResource after 3",
  ]);
});

test("renews a resource on request, one renewal at a time, and not after its close", async ({ expect }) => {
  let inFlight = 0;
  const seen: string[] = [];
  const { outcome } = await open({
    renewEphemeralResource: async ({ private: data }) => {
      inFlight++;
      seen.push(`${inFlight} at a time after ${Buffer.from(data!).toString()}`);
      await new Promise((resolve) => setTimeout(resolve, 5));
      inFlight--;
      return { diagnostics: [], private: Buffer.from(`renewal ${seen.length}`), renewAt: new Date(Date.now() + 60_000) };
    },
    openEphemeralResource: () =>
      Promise.resolve({
        result: of<Type>(impliedType(wordSchema.block), { of: "the day", word: "w" }),
        private: Buffer.from("opening"),
        diagnostics: [],
      }),
  });
  const resource = outcome.resource!;
  expect(resource.renewAt).toBeUndefined();
  await Promise.all([resource.renew(), resource.renew()]);
  expect(seen).toEqual(["1 at a time after opening", "1 at a time after renewal 1"]);
  expect(resource.renewAt!.getTime()).toBeGreaterThan(Date.now());
  await resource.close();
  await resource.renew();
  expect([seen.length, resource.renewAt]).toEqual([2, undefined]);
});

test("does not open a resource whose configuration is invalid", async ({ expect }) => {
  const wrong = { diagnostics: [errorDiagnostic("No", "")] };
  const { outcome, notebook } = await open({ validateEphemeralResourceConfig: () => Promise.resolve(wrong) });
  expect(outcome).toEqual(wrong);
  expect(notebook.calls).toEqual([]);
});

test("sends one close request for several calls of close", async ({ expect }) => {
  const { outcome, notebook } = await open();
  {
    await using resource = outcome.resource!;
    await Promise.all([resource.close(), resource.close()]);
  }
  expect(count(notebook, "closeEphemeralResource after 0")).toBe(1);
});

test("closes the resource when the signal of the operation is aborted", async ({ expect }) => {
  const controller = new AbortController();
  const { notebook } = await open({}, { signal: controller.signal });
  controller.abort();
  await until(() => count(notebook, "closeEphemeralResource after 0") === 1);
  expect(count(notebook, "renewEphemeralResource")).toBe(0);
});

test("returns the diagnostics of renewals with the close, and closes after a failed renewal", async ({ expect }) => {
  const { outcome, notebook } = await open({
    renewEphemeralResource: () => {
      notebook.calls.push("renewed");
      return Promise.reject(new ProviderError("INTERNAL", "clock stopped"));
    },
    closeEphemeralResource: () => {
      notebook.calls.push("closed");
      return Promise.resolve({ diagnostics: [warningDiagnostic("Late", "")] });
    },
  });
  await until(() => count(notebook, "renewed") === 1);
  expect(await outcome.resource!.close()).toMatchObject([
    { severity: "error", summary: "Renewing ephemeral resource failed", detail: expect.stringContaining("clock stopped") as string },
    { severity: "warning", summary: "Late" },
  ]);
  expect(count(notebook, "closed")).toBe(1);
});

test("closes a resource at once when the response is invalid", async ({ expect }) => {
  const { outcome, notebook } = await open({
    openEphemeralResource: () => Promise.resolve({ result: nullOf(impliedType(wordSchema.block)), diagnostics: [] }),
  });
  expect(outcome.resource).toBeUndefined();
  expect(outcome.diagnostics).toMatchObject([{ summary: "Provider produced null object" }]);
  expect(notebook.calls.at(-1)).toBe("closeEphemeralResource after ");
});
