// SPDX-License-Identifier: Apache-2.0
import { attributeStep, get, number, object, of, string, toJs, unknown, type Value } from "@tenon/cty";
import { describe, test } from "vitest";
import { createNotebook, noteIdentityValue, noteValue, replacing, type Notebook } from "../../test/notebook-provider.ts";
import { errorDiagnostic, warningDiagnostic, type Diagnostic } from "../diagnostic.ts";
import { ProviderError } from "../error.ts";
import type { Provider } from "../provider.ts";
import { applyChange, type ApplyOutcome } from "./apply-change.ts";
import { planChange, type PlanChangeOptions } from "./plan-change.ts";
import { planDestroy } from "./plan-destroy.ts";
import type { PlannedChange } from "./planned-change.ts";
import { readObject } from "./read-object.ts";
import type { ResourceObject } from "./resource-object.ts";
import { resourceType, type ResourceType } from "./resource-type.ts";

const text = (data: Uint8Array): string => new TextDecoder().decode(data);
const address = "note.example";

/** The note type of a new notebook, with some of its answers replaced. */
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

describe("a whole life", () => {
  test("create, nothing to do, update, replace, drift, destroy", async ({ expect }) => {
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
    expect((await applyChange(type, again)).object).toBe(note);

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
    expect(read.drift).toEqual([
      { path: [attributeStep("title")], message: 'was cty.StringVal("b"), but now cty.StringVal("someone else\'s")' },
    ]);

    const destroy = await planDestroy(type, read.object!);
    expect(destroy.planned?.action).toBe("delete");
    expect(await applyChange(type, destroy.planned!)).toEqual({ diagnostics: [] });
    expect(notebook.notes.size).toBe(0);
    expect(await readObject(type, read.object!)).toEqual({ drift: [], diagnostics: [] });
  });

  test("the observer is told of each phase and of the object after each step", async ({ expect }) => {
    const { type } = await noteTypeOf();
    const note = await created(type, noteValue({ title: "a" }));
    const config = noteValue({ title: "a", shelf: "top" });
    const told: string[] = [];
    const observer = {
      onPhase: (phase: string, at: string) => void told.push(`${phase} ${at}`),
      onObject: (object: ResourceObject | undefined) => void told.push(object ? "exists" : "is gone"),
    };
    const plan = await planned(type, { prior: note, config, address, observer });
    await applyChange(type, plan, { config, address, observer });
    expect(told).toEqual(
      ["validate", "plan", "planReplacement", "delete", "is gone", "create", "exists"].map((step) =>
        step.startsWith("is") || step === "exists" ? step : `${step} ${address}`,
      ),
    );
  });
});

describe("planning", () => {
  test("is given up where the signal says so", async ({ expect }) => {
    const { type, notebook } = await noteTypeOf();
    const plan = planChange(type, { config: noteValue({}), signal: AbortSignal.abort("enough") });
    await expect(plan).rejects.toMatchObject({ code: "CANCELLED", cause: "enough" });
    expect(notebook.calls).toEqual([]);
  });

  test("stops at an invalid configuration", async ({ expect }) => {
    const { type, notebook } = await noteTypeOf(() => ({
      validateResourceConfig: () => Promise.resolve({ diagnostics: [errorDiagnostic("No title", "")] }),
    }));
    expect(await planChange(type, { config: noteValue({}) })).toEqual({ diagnostics: [errorDiagnostic("No title", "")] });
    expect(notebook.calls).toEqual([]);
  });

  test("replaces on request, also where nothing changes", async ({ expect }) => {
    const { type } = await noteTypeOf();
    const note = await created(type, noteValue({ title: "a" }));
    expect(await planned(type, { prior: note, config: noteValue({ title: "a" }), forceReplace: true })).toMatchObject({
      action: "replace",
      reason: "requested",
    });
  });

  test("treats a tainted object as none and replaces it", async ({ expect }) => {
    const { type, notebook } = await noteTypeOf();
    const note: ResourceObject = { ...(await created(type, noteValue({ title: "a" }))), status: "tainted" };
    notebook.calls.length = 0;
    const plan = await planned(type, { prior: note, config: noteValue({ title: "a" }) });
    expect(plan).toMatchObject({ action: "replace", reason: "tainted", before: note.value, prior: note });
    expect(text(plan.private)).toBe("planned after ");
    expect(notebook.calls).toEqual(["validateResourceConfig", "planResourceChange create"]);
  });

  test("the second plan of a replacement is told what the first one kept private", async ({ expect }) => {
    const { type } = await noteTypeOf();
    const note = await created(type, noteValue({ title: "a" }));
    const plan = await planned(type, { prior: note, config: noteValue({ title: "a", shelf: "top" }) });
    expect(text(plan.private)).toBe("planned after planned after applied, planned after ");
  });

  test("warnings of the second plan are not repeated", async ({ expect }) => {
    const warning = warningDiagnostic("Careful", "");
    const { type } = await noteTypeOf(({ provider }) => ({
      planResourceChange: async (request) => ({ ...(await provider.planResourceChange(request)), diagnostics: [warning] }),
    }));
    const note = await created2(type);
    const outcome = await planChange(type, { prior: note, config: noteValue({ title: "a", shelf: "top" }) });
    expect(outcome.planned?.action).toBe("replace");
    expect(outcome.diagnostics).toEqual([warning]);
  });

  test("what is ignored keeps its prior value, but not in a replacement", async ({ expect }) => {
    const { type } = await noteTypeOf();
    const note = await created(type, noteValue({ title: "a" }));
    const ignoreChanges = (prior: Value, value: Value): Value =>
      prior.payload === null ? value : noteValue({ ...(toJs(value) as object), title: toJs(get(prior, "title")) });
    expect((await planned(type, { prior: note, config: noteValue({ title: "b" }), ignoreChanges })).action).toBe("noOp");
    const replacement = await planned(type, { prior: note, config: noteValue({ title: "b", shelf: "top" }), ignoreChanges });
    expect(toJs(get(replacement.after, "title"))).toBe("b");
  });

  test("deferral is told only to who allows it", async ({ expect }) => {
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
      "that the configuration does not want",
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
      "replacing for nothing that exists",
      () => ({ requiresReplace: [[attributeStep("nowhere")]] }),
      "Provider produced invalid plan",
      'has indicated "requires replacement" on note.example for a non-existent attribute path .nowhere',
    ],
  ];
  test.for(faults)("a plan %s is the provider's fault", async ([, change, summary, detail], { expect }) => {
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

  test("a provider on the old SDK is tolerated, and the observer told", async ({ expect }) => {
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

  test("a destroy is planned without a provider that does not want to be asked", async ({ expect }) => {
    const { type, notebook } = await noteTypeOf();
    const note = await created(type, noteValue({}));
    notebook.calls.length = 0;
    const quiet: ResourceType = { ...type, capabilities: { ...type.capabilities, planDestroy: false } };
    const { planned: plan } = await planDestroy(quiet, note);
    expect(plan).toMatchObject({ action: "delete", private: note.private, identity: note.identity });
    expect(notebook.calls).toEqual([]);
  });

  test("a destroy plan must be null", async ({ expect }) => {
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

/** An object that was made by an equal notebook. */
async function created2(type: ResourceType): Promise<ResourceObject> {
  const { type: other } = await noteTypeOf();
  return { ...(await created(other, noteValue({ title: "a" }))), schemaVersion: type.schema.version };
}

describe("applying", () => {
  type Answer = Awaited<ReturnType<Provider["applyResourceChange"]>>;

  /** Applies to a notebook that answers otherwise than it should. */
  async function apply(change: (answer: Answer) => Partial<Answer>, what: "create" | "update" | "delete"): Promise<ApplyOutcome> {
    const { type } = await noteTypeOf(({ provider }) => ({
      applyResourceChange: async (request) => {
        const answer = await provider.applyResourceChange(request);
        return { ...answer, ...change(answer) };
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

  test("an error in a create leaves a tainted object", async ({ expect }) => {
    const { object, diagnostics } = await apply(() => boom, "create");
    expect(object?.status).toBe("tainted");
    expect(summaries(diagnostics)).toEqual(["Boom"]);
  });

  test("an error in a create that made nothing leaves nothing", async ({ expect }) => {
    expect((await apply(() => ({ ...boom, newState: noteValue(null) }), "create")).object).toBeUndefined();
  });

  test("an error in an update keeps what the provider could save", async ({ expect }) => {
    const { object } = await apply(() => ({ ...boom, newState: noteValue({ id: "note-1", title: "half", pages: 1 }) }), "update");
    expect(object).toMatchObject({ status: "ready" });
    expect(toJs(object!.value)).toMatchObject({ title: "half" });
  });

  test.for(["update", "delete"] as const)("an error in an %s that answers nothing keeps the prior object", async (what, { expect }) => {
    const { object } = await apply(() => ({ ...boom, newState: noteValue(null) }), what);
    expect(toJs(object!.value)).toMatchObject({ title: "a" });
    expect(object!.private).toEqual(new Uint8Array([1]));
  });

  test("an inconsistent result is saved and reported", async ({ expect }) => {
    const { object, diagnostics } = await apply(() => ({ newState: noteValue({ id: "note-1", title: "z", pages: 2 }) }), "create");
    expect(diagnostics).toEqual([
      {
        severity: "error",
        summary: "Provider produced inconsistent result after apply",
        detail:
          'Provider "example.com/test/notebook" gave an unexpected new value for note.example.title: was cty.StringVal("b"), but now cty.StringVal("z").\n\n' +
          "This is a bug in the provider, which should be reported in the provider's own issue tracker.",
      },
    ]);
    expect(object?.status).toBe("tainted");
  });

  test("an inconsistent result is no matter where the provider reports an error", async ({ expect }) => {
    const { diagnostics } = await apply(() => ({ ...boom, newState: noteValue({ id: "note-1", title: "z", pages: 2 }) }), "create");
    expect(summaries(diagnostics)).toEqual(["Boom"]);
  });

  test("of the old SDK it is tolerated", async ({ expect }) => {
    const { object, diagnostics } = await apply(
      () => ({ legacyTypeSystem: true, newState: noteValue({ id: "note-1", title: "z", pages: 2 }) }),
      "create",
    );
    expect(diagnostics).toEqual([]);
    expect(object?.status).toBe("ready");
  });

  test("what is still unknown is reported, place by place, and saved as null", async ({ expect }) => {
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

  test("a result of another type cannot be saved", async ({ expect }) => {
    const { object: kept, diagnostics } = await apply(() => ({ newState: of(object({ id: string }), { id: "x" }) }), "update");
    expect(new Set(summaries(diagnostics))).toEqual(new Set(["Provider produced invalid object"]));
    expect(toJs(kept!.value)).toMatchObject({ title: "a" });
  });

  test("null where an object must be", async ({ expect }) => {
    const { object, diagnostics } = await apply(() => ({ newState: noteValue(null) }), "update");
    expect(summaries(diagnostics)).toEqual(["Provider produced inconsistent result after apply"]);
    expect(toJs(object!.value)).toMatchObject({ title: "a" });
  });

  test("an object where null must be", async ({ expect }) => {
    const { object, diagnostics } = await apply(() => ({ newState: noteValue({ id: "note-1" }) }), "delete");
    expect(summaries(diagnostics)).toEqual(["Provider returned invalid result object after apply"]);
    expect(toJs(object!.value)).toMatchObject({ id: "note-1" });
  });

  test("a write-only value is reported", async ({ expect }) => {
    const { diagnostics } = await apply(() => ({ newState: noteValue({ id: "note-1", title: "b", pages: 2, pin: "1" }) }), "create");
    expect(summaries(diagnostics)).toEqual(["Invalid provider response"]);
  });

  test("a configuration that is not wholly known is refused before the provider is asked", async ({ expect }) => {
    const { type, notebook } = await noteTypeOf();
    const plan = await planned(type, { config: noteValue({ title: unknown(string) }) });
    notebook.calls.length = 0;
    const { diagnostics } = await applyChange(type, plan, { config: noteValue({ title: unknown(string) }) });
    expect(summaries(diagnostics)).toEqual(["Configuration contains unknown value"]);
    expect(notebook.calls).toEqual([]);
  });

  test("a replacement whose old object cannot be deleted makes no new one", async ({ expect }) => {
    const { type, notebook } = await noteTypeOf(({ provider }) => ({
      applyResourceChange: async (request) => {
        const answer = await provider.applyResourceChange(request);
        return request.plannedState.payload === null ? { ...answer, newState: request.priorState, ...boom } : answer;
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

  test("an interrupted replacement has told that the old object is gone", async ({ expect }) => {
    const { type, notebook } = await noteTypeOf(({ provider }) => ({
      applyResourceChange: (request) =>
        request.plannedState.payload === null
          ? provider.applyResourceChange(request)
          : Promise.reject(new ProviderError("UNAVAILABLE", "gone")),
    }));
    const note = await created2(type);
    notebook.notes.set("note-1", toJs(note.value) as never);
    const config = noteValue({ title: "a", shelf: "top" });
    const plan = await planned(type, { prior: note, config });
    const seen: (ResourceObject | undefined)[] = [];
    const observer = { onObject: (object: ResourceObject | undefined) => void seen.push(object) };
    await expect(applyChange(type, plan, { config, observer })).rejects.toMatchObject({ code: "UNAVAILABLE" });
    expect(seen).toEqual([undefined]);
  });
});

describe("planning again before applying", () => {
  test("what was unknown may be known now", async ({ expect }) => {
    const { type, notebook } = await noteTypeOf();
    const plan = await planned(type, { config: noteValue({ title: unknown(string) }) });
    const config = noteValue({ title: "known" });
    notebook.calls.length = 0;
    const { object, diagnostics } = await applyChange(type, plan, { config, replan: true });
    expect(diagnostics).toEqual([]);
    expect(toJs(object!.value)).toMatchObject({ title: "known" });
    expect(notebook.calls).toEqual(["validateResourceConfig", "planResourceChange create", "applyResourceChange create"]);
  });

  test("an update may prove unnecessary", async ({ expect }) => {
    const { type, notebook } = await noteTypeOf();
    const note = await created(type, noteValue({ title: "a", pages: 1 }));
    const plan = await planned(type, { prior: note, config: noteValue({ title: unknown(string), pages: 1 }) });
    expect(plan.action).toBe("update");
    notebook.calls.length = 0;
    expect(await applyChange(type, plan, { config: noteValue({ title: "a", pages: 1 }), replan: true })).toEqual({
      object: note,
      diagnostics: [],
    });
    expect(notebook.calls).toEqual(["validateResourceConfig", "planResourceChange update"]);
  });

  test("a changed mind is the provider's fault", async ({ expect }) => {
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
    expect(diagnostics[0]?.detail).toContain("changed the planned action for note.example from update to replace");
  });
});

describe("reading", () => {
  const note: ResourceObject = {
    value: noteValue({ id: "note-1", title: "a", pages: 1 }),
    private: new Uint8Array([1]),
    status: "tainted",
    schemaVersion: 2,
  };
  type Answer = Awaited<ReturnType<Provider["readResource"]>>;
  const readWith = async (change: Partial<Answer>) => {
    const { type } = await noteTypeOf(({ provider }) => ({
      readResource: async (request) => ({ ...(await provider.readResource(request)), ...change }),
    }));
    return await readObject(type, note, { address });
  };

  test("with an error the object is as it was", async ({ expect }) => {
    expect(await readWith({ newState: noteValue(null), diagnostics: [errorDiagnostic("Offline", "")] })).toMatchObject({
      object: note,
      drift: [],
    });
  });

  test("a tainted object stays tainted", async ({ expect }) => {
    expect((await readWith({ newState: note.value })).object?.status).toBe("tainted");
  });

  test("another type is the provider's fault", async ({ expect }) => {
    const { object: same, diagnostics } = await readWith({ newState: of(object({ id: string }), { id: "x" }) });
    expect(same).toBe(note);
    expect(new Set(summaries(diagnostics))).toEqual(new Set(["Provider produced invalid object"]));
  });
});

describe("resourceType", () => {
  test("asks a provider once, however many types are looked up", async ({ expect }) => {
    const { provider, calls } = createNotebook();
    await resourceType(provider, "note");
    await resourceType(provider, "note");
    expect(calls).toEqual(["getProviderSchema", "getResourceIdentitySchemas"]);
  });

  test("knows no identity where the provider is older than identities", async ({ expect }) => {
    const { type } = await noteTypeOf(() => ({
      getResourceIdentitySchemas: () => Promise.reject(new ProviderError("UNIMPLEMENTED", "no")),
    }));
    expect(type.identitySchema).toBeUndefined();
  });

  test("refuses a type that is not there", async ({ expect }) => {
    await expect(resourceType(createNotebook().provider, "page")).rejects.toMatchObject({
      code: "INVALID_REQUEST",
      message: 'provider has no managed resource "page"',
    });
  });

  test("says why a provider cannot say what it has", async ({ expect }) => {
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
