// SPDX-License-Identifier: Apache-2.0
import { attributeStep, get, number, object, of, string, toJs, unknown, type Value } from "@tenon/cty";
import { describe, test } from "vitest";
import { createNotebook, noteIdentityValue, noteValue, replacing, type Notebook } from "../../test/notebook-provider.ts";
import { errorDiagnostic, warningDiagnostic, type Diagnostic } from "../diagnostic.ts";
import { ProviderError } from "../error.ts";
import type { Provider } from "../provider/provider.ts";
import { applyChange, type ApplyOutcome } from "./apply-change.ts";
import { planChange, type PlanChangeOptions } from "./plan-change.ts";
import { planDestroy } from "./plan-destroy.ts";
import type { PlannedChange } from "./planned-change.ts";
import { readObject } from "./read-object.ts";
import type { ResourceObject } from "./resource-object.ts";
import { resourceType, type ResourceType } from "./resource-type.ts";
import { validateConfig } from "./validate-config.ts";

const text = (data: Uint8Array): string => new TextDecoder().decode(data);
const address = "note.example";

/** Creates a notebook, and returns its note type. `parts` replaces calls of its provider. */
async function noteTypeOf(
  parts: (notebook: Notebook) => Partial<Provider> = () => ({}),
): Promise<{ readonly type: ResourceType; readonly notebook: Notebook }> {
  const notebook = createNotebook();
  const type = await resourceType(replacing(notebook.provider, parts(notebook)), "note", { providerAddress: "example.com/test/notebook" });
  notebook.calls.length = 0;
  return { type, notebook };
}

function summaries(diagnostics: readonly Diagnostic[]): string[] {
  return diagnostics.map((diagnostic) => diagnostic.summary);
}

async function planned(type: ResourceType, options: PlanChangeOptions): Promise<PlannedChange> {
  const outcome = await planChange(type, { address, ...options });
  if (!outcome.planned) throw new Error(JSON.stringify(outcome.diagnostics));
  return outcome.planned;
}

async function created(type: ResourceType, config: Value): Promise<ResourceObject> {
  const outcome = await applyChange(type, await planned(type, { config }), { address, config });
  if (!outcome.object || outcome.diagnostics.length > 0) throw new Error(JSON.stringify(outcome.diagnostics));
  return outcome.object;
}

describe("lifecycle of an object", () => {
  test("plans and applies a create, a no-op, an update, a replacement and a destroy, and reads drift", async ({ expect }) => {
    const { type, notebook } = await noteTypeOf();
    const config = noteValue({ title: "a", pin: "1234" });

    const plan = await planned(type, { config });
    expect(plan.action).toBe("create");
    expect(plan.after).toEqual(noteValue({ id: unknown(string), title: "a", pages: unknown(number) }));
    const { object: note, diagnostics } = await applyChange(type, plan, { config });
    expect(diagnostics).toEqual([]);
    expect(toJs(note!.value)).toEqual({ id: "note-1", title: "a", shelf: null, pages: 1, pin: null });
    expect(note).toMatchObject({ status: "ready", schemaVersion: 2, identity: noteIdentityValue("note-1") });
    expect(text(note!.private)).toBe("applied, planned after ");

    const again = await planned(type, { prior: note, config: noteValue({ title: "a" }) });
    expect(again.action).toBe("noOp");
    const nothing = await applyChange(type, again);
    expect(nothing.status).toBe("notSent");
    expect(nothing.object).toBe(note);

    const change = noteValue({ title: "b" });
    const update = await planned(type, { prior: note, config: change });
    expect(update).toMatchObject({ action: "update", requiresReplace: [] });
    const { object: updated } = await applyChange(type, update, { config: change });
    expect(notebook.notes.get("note-1")).toMatchObject({ title: "b" });

    const moved = noteValue({ title: "b", shelf: "top" });
    const replacement = await planned(type, { prior: updated, config: moved });
    expect(replacement).toMatchObject({ action: "replace", reason: "cannotUpdate", requiresReplace: [[attributeStep("shelf")]] });
    expect(replacement.after).toEqual(noteValue({ id: unknown(string), title: "b", shelf: "top", pages: unknown(number) }));
    notebook.calls.length = 0;
    const { object: replaced } = await applyChange(type, replacement, { config: moved });
    expect(notebook.calls).toEqual(["applyResourceChange delete", "applyResourceChange create"]);
    expect(toJs(replaced!.value)).toMatchObject({ id: "note-1", shelf: "top" });

    notebook.notes.set("note-1", { ...notebook.notes.get("note-1")!, title: "someone else's" });
    const read = await readObject(type, replaced!);
    expect(read.status).toBe("changed");
    expect(read.drift).toEqual([
      { path: [attributeStep("title")], message: 'was cty.StringVal("b"), but now cty.StringVal("someone else\'s")' },
    ]);

    const destroy = await planDestroy(type, read.object!);
    expect(destroy.planned?.action).toBe("delete");
    expect(await applyChange(type, destroy.planned!)).toEqual({ status: "applied", diagnostics: [] });
    expect(notebook.notes.size).toBe(0);
    expect(await readObject(type, read.object!)).toEqual({ status: "notFound", drift: [], diagnostics: [] });
  });

  test("calls the observer for each phase, and with the object after each step", async ({ expect }) => {
    const { type } = await noteTypeOf();
    const note = await created(type, noteValue({ title: "a" }));
    const config = noteValue({ title: "a", shelf: "top" });
    const events: string[] = [];
    const observer = {
      onPhase: (phase: string, at: string) => void events.push(`${phase} ${at}`),
      onObject: (object: ResourceObject | undefined) => void events.push(object ? "exists" : "is gone"),
    };
    const plan = await planned(type, { prior: note, config, address, observer });
    await applyChange(type, plan, { config, address, observer });
    expect(events).toEqual(
      ["validate", "plan", "planReplacement", "delete", "is gone", "create", "exists"].map((step) =>
        step.startsWith("is") || step === "exists" ? step : `${step} ${address}`,
      ),
    );
  });
});

describe("planning", () => {
  test("is cancelled by its signal", async ({ expect }) => {
    const { type, notebook } = await noteTypeOf();
    const plan = planChange(type, { config: noteValue({}), signal: AbortSignal.abort("enough") });
    await expect(plan).rejects.toMatchObject({ code: "CANCELLED", cause: "enough" });
    expect(notebook.calls).toEqual([]);
  });

  test("does not validate a validated configuration again", async ({ expect }) => {
    const { type, notebook } = await noteTypeOf();
    const config = noteValue({ title: "a" });
    expect(await validateConfig(type, config)).toEqual([]);
    expect((await planChange(type, { config, configValidated: true })).planned?.action).toBe("create");
    expect(notebook.calls).toEqual(["validateResourceConfig", "planResourceChange create"]);
  });

  test("does not plan an invalid configuration", async ({ expect }) => {
    const { type, notebook } = await noteTypeOf(() => ({
      validateResourceConfig: () => Promise.resolve({ diagnostics: [errorDiagnostic("No title", "")] }),
    }));
    expect(await planChange(type, { config: noteValue({}) })).toEqual({ diagnostics: [errorDiagnostic("No title", "")] });
    expect(notebook.calls).toEqual([]);
  });

  test("replaces an unchanged object on request", async ({ expect }) => {
    const { type } = await noteTypeOf();
    const note = await created(type, noteValue({ title: "a" }));
    expect(await planned(type, { prior: note, config: noteValue({ title: "a" }), forceReplace: true })).toMatchObject({
      action: "replace",
      reason: "requested",
    });
  });

  test("plans a tainted object as a new one, and replaces it", async ({ expect }) => {
    const { type, notebook } = await noteTypeOf();
    const note: ResourceObject = { ...(await created(type, noteValue({ title: "a" }))), status: "tainted" };
    notebook.calls.length = 0;
    const plan = await planned(type, { prior: note, config: noteValue({ title: "a" }) });
    expect(plan).toMatchObject({ action: "replace", reason: "tainted", before: note.value, prior: note });
    expect(text(plan.private)).toBe("planned after ");
    expect(notebook.calls).toEqual(["validateResourceConfig", "planResourceChange create"]);
  });

  test("sends the private data of the first plan with the second plan of a replacement", async ({ expect }) => {
    const { type } = await noteTypeOf();
    const note = await created(type, noteValue({ title: "a" }));
    const plan = await planned(type, { prior: note, config: noteValue({ title: "a", shelf: "top" }) });
    expect(text(plan.private)).toBe("planned after planned after applied, planned after ");
  });

  test("does not repeat the warnings of the second plan", async ({ expect }) => {
    const warning = warningDiagnostic("Careful", "");
    const { type } = await noteTypeOf(({ provider }) => ({
      planResourceChange: async (request) => ({ ...(await provider.planResourceChange(request)), diagnostics: [warning] }),
    }));
    const note = await createdByOther(type);
    const outcome = await planChange(type, { prior: note, config: noteValue({ title: "a", shelf: "top" }) });
    expect(outcome.planned?.action).toBe("replace");
    expect(outcome.diagnostics).toEqual([warning]);
  });

  test("keeps the prior value of ignored changes, except in a replacement", async ({ expect }) => {
    const { type } = await noteTypeOf();
    const note = await created(type, noteValue({ title: "a" }));
    const ignoreChanges = (prior: Value, value: Value): Value =>
      prior.payload === null ? value : noteValue({ ...(toJs(value) as object), title: toJs(get(prior, "title")) });
    expect((await planned(type, { prior: note, config: noteValue({ title: "b" }), ignoreChanges })).action).toBe("noOp");
    const replacement = await planned(type, { prior: note, config: noteValue({ title: "b", shelf: "top" }), ignoreChanges });
    expect(toJs(get(replacement.after, "title"))).toBe("b");
  });

  test("reports a deferral only where the caller allows it", async ({ expect }) => {
    const { type } = await noteTypeOf(({ provider }) => ({
      planResourceChange: async (request) => ({
        ...(await provider.planResourceChange(request)),
        deferred: { reason: "absentPrerequisite" },
      }),
    }));
    const config = noteValue({});
    expect((await planned(type, { config })).deferred).toBeUndefined();
    const clientCapabilities = { deferralAllowed: true, writeOnlyAttributesAllowed: true };
    expect((await planned(type, { config, clientCapabilities })).deferred).toEqual({ reason: "absentPrerequisite" });
  });

  const faults: readonly (readonly [
    string,
    (state: Value) => Partial<{ plannedState: Value; requiresReplace: readonly (readonly ReturnType<typeof attributeStep>[])[] }>,
    string,
    string,
  ])[] = [
    [
      "of another type",
      () => ({ plannedState: of(object({ id: string }), { id: null }) }),
      "Provider produced invalid plan",
      'planned an invalid value for note.example: missing required attribute "pages"',
    ],
    [
      "that contradicts the configuration",
      () => ({ plannedState: noteValue({ title: "z" }) }),
      "Provider produced invalid plan",
      "planned an invalid value for note.example.title: planned value",
    ],
    [
      "with a write-only value",
      () => ({ plannedState: noteValue({ title: "a", pin: "1" }) }),
      "Invalid provider response",
      'returned a value for the write-only attribute ".pin"',
    ],
    [
      "with a replacement path that does not exist",
      () => ({ requiresReplace: [[attributeStep("nowhere")]] }),
      "Provider produced invalid plan",
      'has indicated "requires replacement" on note.example for a non-existent attribute path .nowhere',
    ],
  ];
  test.for(faults)("reports a plan %s as a fault of the provider", async ([, change, summary, detail], { expect }) => {
    const { type } = await noteTypeOf(({ provider }) => ({
      planResourceChange: async (request) => {
        const response = await provider.planResourceChange(request);
        return { ...response, ...change(response.plannedState) };
      },
    }));
    const note: ResourceObject = {
      value: noteValue({ id: "note-1", title: "a", pages: 1 }),
      private: new Uint8Array(),
      status: "ready",
      schemaVersion: 2,
    };
    const outcome = await planChange(type, { prior: note, config: noteValue({ title: "a" }), address });
    expect(outcome.planned).toBeUndefined();
    expect(outcome.diagnostics[0]).toEqual({ severity: "error", summary, detail: expect.stringContaining(detail) as string });
    expect(outcome.diagnostics[0]?.detail).toMatch(/^Provider "example\.com\/test\/notebook" [^]*This is a bug in the provider/);
  });

  test("tolerates violations of a provider on the legacy SDK, and passes them to the observer", async ({ expect }) => {
    const { type } = await noteTypeOf(({ provider }) => ({
      planResourceChange: async (request) => ({
        ...(await provider.planResourceChange(request)),
        plannedState: noteValue({ title: "z" }),
        legacyTypeSystem: true,
      }),
    }));
    const tolerated: string[] = [];
    const outcome = await planChange(type, {
      config: noteValue({ title: "a" }),
      observer: { onTolerated: (message) => void tolerated.push(message) },
    });
    expect(outcome.planned?.action).toBe("create");
    expect(tolerated).toEqual([expect.stringContaining(".title: planned value")]);
  });

  test("plans a destroy without calling a provider that lacks the planDestroy capability", async ({ expect }) => {
    const { type, notebook } = await noteTypeOf();
    const note = await created(type, noteValue({}));
    notebook.calls.length = 0;
    const withoutPlanDestroy: ResourceType = { ...type, capabilities: { ...type.capabilities, planDestroy: false } };
    const { planned: plan } = await planDestroy(withoutPlanDestroy, note);
    expect(plan).toMatchObject({ action: "delete", private: note.private, identity: note.identity });
    expect(notebook.calls).toEqual([]);
  });

  test("reports a destroy plan that is not null", async ({ expect }) => {
    const { type } = await noteTypeOf(({ provider }) => ({
      planResourceChange: async (request) => ({ ...(await provider.planResourceChange(request)), plannedState: request.priorState }),
    }));
    const outcome = await planDestroy(type, {
      value: noteValue({ id: "1" }),
      private: new Uint8Array(),
      status: "ready",
      schemaVersion: 2,
    });
    expect(summaries(outcome.diagnostics)).toEqual(["Provider produced invalid plan"]);
  });
});

/** Returns an object that another notebook of the same schema created. */
async function createdByOther(type: ResourceType): Promise<ResourceObject> {
  const { type: other } = await noteTypeOf();
  return { ...(await created(other, noteValue({ title: "a" }))), schemaVersion: type.schema.version };
}

describe("applying", () => {
  type Response = Awaited<ReturnType<Provider["applyResourceChange"]>>;

  /** Applies a change to a notebook whose response `change` replaces in part. */
  async function apply(change: (response: Response) => Partial<Response>, what: "create" | "update" | "delete"): Promise<ApplyOutcome> {
    const { type } = await noteTypeOf(({ provider }) => ({
      applyResourceChange: async (request) => {
        const response = await provider.applyResourceChange(request);
        return { ...response, ...change(response) };
      },
    }));
    const prior: ResourceObject = {
      value: noteValue({ id: "note-1", title: "a", pages: 1 }),
      private: new Uint8Array([1]),
      status: "ready",
      schemaVersion: 2,
    };
    const config = noteValue({ title: "b", pages: 2 });
    const plan =
      what === "delete"
        ? (await planDestroy(type, prior)).planned!
        : await planned(type, { config, ...(what === "update" ? { prior } : {}) });
    return await applyChange(type, plan, { config, address });
  }

  const boom = { diagnostics: [errorDiagnostic("Boom", "")] };

  test("taints the object after an error in a create", async ({ expect }) => {
    const { object, diagnostics } = await apply(() => boom, "create");
    expect(object?.status).toBe("tainted");
    expect(summaries(diagnostics)).toEqual(["Boom"]);
  });

  test("returns no object after an error in a create that created none", async ({ expect }) => {
    expect((await apply(() => ({ ...boom, newState: noteValue(null) }), "create")).object).toBeUndefined();
  });

  test("returns the partial result after an error in an update", async ({ expect }) => {
    const { object } = await apply(() => ({ ...boom, newState: noteValue({ id: "note-1", title: "half", pages: 1 }) }), "update");
    expect(object).toMatchObject({ status: "ready" });
    expect(toJs(object!.value)).toMatchObject({ title: "half" });
  });

  test.for(["update", "delete"] as const)("keeps the prior object after an error in an %s that returns null", async (what, { expect }) => {
    const { object } = await apply(() => ({ ...boom, newState: noteValue(null) }), what);
    expect(toJs(object!.value)).toMatchObject({ title: "a" });
    expect(object!.private).toEqual(new Uint8Array([1]));
  });

  test("reports an inconsistent result and returns its object", async ({ expect }) => {
    const { object, diagnostics } = await apply(() => ({ newState: noteValue({ id: "note-1", title: "z", pages: 2 }) }), "create");
    expect(diagnostics).toEqual([
      {
        severity: "error",
        summary: "Provider produced inconsistent result after apply",
        detail:
          'When applying changes to note.example, provider "example.com/test/notebook" produced an unexpected new value: .title: was cty.StringVal("b"), but now cty.StringVal("z").\n\n' +
          "This is a bug in the provider, which should be reported in the provider's own issue tracker.",
      },
    ]);
    expect(object?.status).toBe("tainted");
  });

  test("does not report an inconsistent result beside an error of the provider", async ({ expect }) => {
    const { diagnostics } = await apply(() => ({ ...boom, newState: noteValue({ id: "note-1", title: "z", pages: 2 }) }), "create");
    expect(summaries(diagnostics)).toEqual(["Boom"]);
  });

  test("tolerates an inconsistent result of the legacy SDK", async ({ expect }) => {
    const { object, diagnostics } = await apply(
      () => ({ legacyTypeSystem: true, newState: noteValue({ id: "note-1", title: "z", pages: 2 }) }),
      "create",
    );
    expect(diagnostics).toEqual([]);
    expect(object?.status).toBe("ready");
  });

  test("reports each unknown value, and returns null in its place", async ({ expect }) => {
    const { object, diagnostics } = await apply(
      () => ({ newState: noteValue({ id: unknown(string), title: "b", pages: unknown(number) }) }),
      "create",
    );
    expect(summaries(diagnostics)).toEqual([
      "Provider returned invalid result object after apply",
      "Provider returned invalid result object after apply",
    ]);
    expect(diagnostics[0]?.detail).toContain("note.example.id");
    expect(toJs(object!.value)).toMatchObject({ id: null, title: "b", pages: null });
  });

  test("keeps the prior object after a result of another type", async ({ expect }) => {
    const { object: kept, diagnostics } = await apply(() => ({ newState: of(object({ id: string }), { id: "x" }) }), "update");
    expect(new Set(summaries(diagnostics))).toEqual(new Set(["Provider produced invalid object"]));
    expect(toJs(kept!.value)).toMatchObject({ title: "a" });
  });

  test("reports null after an update", async ({ expect }) => {
    const { object, diagnostics } = await apply(() => ({ newState: noteValue(null) }), "update");
    expect(summaries(diagnostics)).toEqual(["Provider produced inconsistent result after apply"]);
    expect(toJs(object!.value)).toMatchObject({ title: "a" });
  });

  test("reports an object after a delete", async ({ expect }) => {
    const { object, diagnostics } = await apply(() => ({ newState: noteValue({ id: "note-1" }) }), "delete");
    expect(summaries(diagnostics)).toEqual(["Provider returned invalid result object after apply"]);
    expect(toJs(object!.value)).toMatchObject({ id: "note-1" });
  });

  test("reports a value of a write-only attribute", async ({ expect }) => {
    const { diagnostics } = await apply(() => ({ newState: noteValue({ id: "note-1", title: "b", pages: 2, pin: "1" }) }), "create");
    expect(summaries(diagnostics)).toEqual(["Invalid provider response"]);
  });

  test("refuses a configuration that is not wholly known without calling the provider", async ({ expect }) => {
    const { type, notebook } = await noteTypeOf();
    const plan = await planned(type, { config: noteValue({ title: unknown(string) }) });
    notebook.calls.length = 0;
    const { status, diagnostics } = await applyChange(type, plan, { config: noteValue({ title: unknown(string) }) });
    expect(status).toBe("notSent");
    expect(summaries(diagnostics)).toEqual(["Configuration contains unknown value"]);
    expect(notebook.calls).toEqual([]);
  });

  test("keeps the old object in a replacement with an unknown configuration", async ({ expect }) => {
    const { type, notebook } = await noteTypeOf();
    const note = await created(type, noteValue({ title: "a" }));
    const plan = await planned(type, { prior: note, config: noteValue({ title: unknown(string), shelf: "top" }) });
    expect(plan.action).toBe("replace");
    notebook.calls.length = 0;
    const outcome = await applyChange(type, plan, { config: noteValue({ title: unknown(string), shelf: "top" }) });
    expect(outcome.status).toBe("notSent");
    expect(outcome.object).toBe(note);
    expect(summaries(outcome.diagnostics)).toEqual(["Configuration contains unknown value"]);
    expect(notebook.calls).toEqual([]);
  });

  test("returns the status failed after a create that failed without an object", async ({ expect }) => {
    const { object, status } = await apply(() => ({ ...boom, newState: noteValue(null) }), "create");
    expect([status, object]).toEqual(["failed", undefined]);
  });

  describe("a thrown error reports whether the request was sent", () => {
    const config = noteValue({ title: "a" });
    const lost = new ProviderError("UNAVAILABLE", "lost");

    test.for<readonly [string, Partial<Provider>, boolean]>([
      ["when the apply fails", { applyResourceChange: () => Promise.reject(lost) }, true],
      ["when the second plan fails", { planResourceChange: () => Promise.reject(lost) }, false],
      ["when the validation before the second plan fails", { validateResourceConfig: () => Promise.reject(lost) }, false],
    ])("%s", async ([, failing, requestSent], { expect }) => {
      const { type } = await noteTypeOf();
      const plan = await planned(type, { config });
      const later: ResourceType = { ...type, provider: replacing(type.provider, failing) };
      await expect(applyChange(later, plan, { config, replan: true })).rejects.toMatchObject({ code: "UNAVAILABLE", requestSent });
    });

    test("when the signal is already aborted", async ({ expect }) => {
      const { type, notebook } = await noteTypeOf();
      const plan = await planned(type, { config });
      notebook.calls.length = 0;
      const applying = applyChange(type, plan, { config, signal: AbortSignal.abort("enough") });
      await expect(applying).rejects.toMatchObject({ code: "CANCELLED", requestSent: false });
      expect(notebook.calls).toEqual([]);
    });
  });

  test("does not create the new object of a replacement when the delete fails", async ({ expect }) => {
    const { type, notebook } = await noteTypeOf(({ provider }) => ({
      applyResourceChange: async (request) => {
        const response = await provider.applyResourceChange(request);
        return request.plannedState.payload === null ? { ...response, newState: request.priorState, ...boom } : response;
      },
    }));
    const note = await created(type, noteValue({ title: "a" }));
    const config = noteValue({ title: "a", shelf: "top" });
    const plan = await planned(type, { prior: note, config });
    notebook.calls.length = 0;
    const { object: kept, diagnostics } = await applyChange(type, plan, { config });
    expect([kept?.value, summaries(diagnostics)]).toEqual([note.value, ["Boom"]]);
    expect(notebook.calls).toEqual(["applyResourceChange delete"]);
  });

  test("reports the delete of the old object to the observer before an interrupted create", async ({ expect }) => {
    const { type, notebook } = await noteTypeOf(({ provider }) => ({
      applyResourceChange: (request) =>
        request.plannedState.payload === null
          ? provider.applyResourceChange(request)
          : Promise.reject(new ProviderError("UNAVAILABLE", "gone")),
    }));
    const note = await createdByOther(type);
    notebook.notes.set("note-1", toJs(note.value) as never);
    const config = noteValue({ title: "a", shelf: "top" });
    const plan = await planned(type, { prior: note, config });
    const seen: (ResourceObject | undefined)[] = [];
    const observer = { onObject: (object: ResourceObject | undefined) => void seen.push(object) };
    await expect(applyChange(type, plan, { config, observer })).rejects.toMatchObject({ code: "UNAVAILABLE" });
    expect(seen).toEqual([undefined]);
  });
});

describe("second plan before an apply", () => {
  test("accepts known values in place of unknown ones", async ({ expect }) => {
    const { type, notebook } = await noteTypeOf();
    const plan = await planned(type, { config: noteValue({ title: unknown(string) }) });
    const config = noteValue({ title: "known" });
    notebook.calls.length = 0;
    const { object, diagnostics } = await applyChange(type, plan, { config, replan: true });
    expect(diagnostics).toEqual([]);
    expect(toJs(object!.value)).toMatchObject({ title: "known" });
    expect(notebook.calls).toEqual(["validateResourceConfig", "planResourceChange create", "applyResourceChange create"]);
  });

  test("accepts an update that turns out to be a no-op", async ({ expect }) => {
    const { type, notebook } = await noteTypeOf();
    const note = await created(type, noteValue({ title: "a", pages: 1 }));
    const plan = await planned(type, { prior: note, config: noteValue({ title: unknown(string), pages: 1 }) });
    expect(plan.action).toBe("update");
    notebook.calls.length = 0;
    expect(await applyChange(type, plan, { config: noteValue({ title: "a", pages: 1 }), replan: true })).toEqual({
      status: "notSent",
      object: note,
      diagnostics: [],
    });
    expect(notebook.calls).toEqual(["validateResourceConfig", "planResourceChange update"]);
  });

  test("does not validate a validated configuration again", async ({ expect }) => {
    const { type, notebook } = await noteTypeOf();
    const config = noteValue({ title: "a" });
    const plan = await planned(type, { config });
    notebook.calls.length = 0;
    expect((await applyChange(type, plan, { config, replan: true, configValidated: true })).status).toBe("applied");
    expect(notebook.calls).toEqual(["planResourceChange create", "applyResourceChange create"]);
  });

  test("reports a second plan that contradicts the first one", async ({ expect }) => {
    const { type } = await noteTypeOf();
    const note = await created(type, noteValue({ title: "a", pages: 1 }));
    const plan = await planned(type, { prior: note, config: noteValue({ title: "b", pages: 1 }) });
    const { object, diagnostics } = await applyChange(type, plan, {
      config: noteValue({ title: "c", shelf: "top", pages: 1 }),
      replan: true,
      address,
    });
    expect(object).toBe(note);
    expect(new Set(summaries(diagnostics))).toEqual(new Set(["Provider produced inconsistent final plan"]));
    expect(diagnostics[0]?.detail).toContain("When expanding the plan for note.example to include new values learned so far during apply");
  });
});

describe("reading", () => {
  const note: ResourceObject = {
    value: noteValue({ id: "note-1", title: "a", pages: 1 }),
    private: new Uint8Array([1]),
    status: "tainted",
    schemaVersion: 2,
  };
  type Response = Awaited<ReturnType<Provider["readResource"]>>;
  const readWith = async (change: Partial<Response>) => {
    const { type } = await noteTypeOf(({ provider }) => ({
      readResource: async (request) => ({ ...(await provider.readResource(request)), ...change }),
    }));
    return await readObject(type, note, { address });
  };

  test("keeps the object where the provider reports an error", async ({ expect }) => {
    expect(await readWith({ newState: noteValue(null), diagnostics: [errorDiagnostic("Offline", "")] })).toMatchObject({
      status: "failed",
      object: note,
      drift: [],
    });
  });

  test("keeps a tainted object tainted", async ({ expect }) => {
    const read = await readWith({ newState: note.value, private: new Uint8Array([2]) });
    expect(read).toMatchObject({ status: "changed", object: { status: "tainted" } });
  });

  test("returns an unchanged object itself", async ({ expect }) => {
    const same = { newState: noteValue({ id: "note-1", title: "a", pages: 1 }), private: new Uint8Array([1]) };
    const read = await readWith(same);
    expect(read).toMatchObject({ status: "unchanged", drift: [] });
    expect(read.object).toBe(note);
  });

  test.for<readonly [string, Partial<Response>]>([
    ["private data", { newState: note.value, private: new Uint8Array([2]) }],
    ["identity", { newState: note.value, private: note.private, newIdentity: noteIdentityValue("note-2") }],
  ])("reports changed %s with an unchanged value as a change without drift", async ([, change], { expect }) => {
    const read = await readWith(change);
    expect(read).toMatchObject({ status: "changed", drift: [] });
    expect(read.object).not.toBe(note);
  });

  test("reports an object of an older schema version as changed", async ({ expect }) => {
    const { type } = await noteTypeOf(({ provider }) => ({
      readResource: async (request) => ({ ...(await provider.readResource(request)), newState: note.value, private: note.private }),
    }));
    const read = await readObject(type, { ...note, schemaVersion: 1 });
    expect(read).toMatchObject({ status: "changed", object: { schemaVersion: 2 } });
  });

  test("reports a value of another type", async ({ expect }) => {
    const { object: same, diagnostics } = await readWith({ newState: of(object({ id: string }), { id: "x" }) });
    expect(same).toBe(note);
    expect(new Set(summaries(diagnostics))).toEqual(new Set(["Provider produced invalid object"]));
  });
});

describe("resourceType", () => {
  test("requests the schemas of a provider once", async ({ expect }) => {
    const { provider, calls } = createNotebook();
    await resourceType(provider, "note");
    await resourceType(provider, "note");
    expect(calls).toEqual(["getProviderSchema", "getResourceIdentitySchemas"]);
  });

  test("has no identity schema for a provider older than identities", async ({ expect }) => {
    const { type } = await noteTypeOf(() => ({
      getResourceIdentitySchemas: () => Promise.reject(new ProviderError("UNIMPLEMENTED", "no")),
    }));
    expect(type.identitySchema).toBeUndefined();
  });

  test("refuses a type that the provider does not have", async ({ expect }) => {
    await expect(resourceType(createNotebook().provider, "page")).rejects.toMatchObject({
      code: "INVALID_REQUEST",
      message: 'provider has no managed resource "page"',
    });
  });

  test("reports the errors of a provider that fails to return its schemas", async ({ expect }) => {
    const { provider } = createNotebook();
    const failing = replacing(provider, {
      getProviderSchema: async (request) => ({
        ...(await provider.getProviderSchema(request)),
        diagnostics: [errorDiagnostic("Broken", "no disk")],
      }),
    });
    await expect(resourceType(failing, "note")).rejects.toMatchObject({
      code: "INVALID_SCHEMA",
      message: expect.stringContaining("Broken: no disk") as string,
    });
  });
});
