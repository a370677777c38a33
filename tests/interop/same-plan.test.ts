// SPDX-License-Identifier: Apache-2.0
// The plans that `npm start` computes equal those of the real CLIs for the same configuration.
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { formatPath, type Path, type Value } from "@tenon/cty";
import { encode } from "@tenon/cty/json";
import { isUnknownPayload, type Payload } from "@tenon/cty/unstable/payload";
import {
  changesText,
  ManagedResources,
  configure,
  notebookCommand,
  stages,
  type ResourcePlan,
  type ConfiguredResource,
} from "@tenon/example-tour";
import { describePeer } from "@tenon/peers/vitest";
import { launchProvider, type LaunchedProvider } from "@tenon/plugin-host";
import { afterAll, afterEach, beforeAll, beforeEach, test } from "vitest";
import { CliWorkspace, type ResourceChangeJson } from "./cli-workspace.ts";
import { packageExample, type PackagedProvider } from "./packaged-provider.ts";

const address = "example.com/tenon/notebook";

/** The plan of one resource, in a form that both sides have. */
interface ComparedPlan {
  readonly actions: readonly string[];
  readonly replacePaths: readonly string[];
  readonly before: unknown;
  /** The planned value without unknown values, as the CLI prints it. */
  readonly after: unknown;
  /** True at unknown values; known parts are omitted. */
  readonly unknown: unknown;
}

for (const cli of ["tofu", "terraform"] as const) {
  describePeer([cli], `the plans of npm start and ${cli}`, (peers) => {
    let provider: PackagedProvider;
    let folder: string;
    let launched: LaunchedProvider;
    let managed: ManagedResources;
    let workspace: CliWorkspace;

    beforeAll(() => {
      provider = packageExample("apps/examples/notebook/src/main.ts", "--name", "notebook", "--version", "1.0.0", "--address", address);
    });
    afterAll(() => provider[Symbol.dispose]());
    beforeEach(async () => {
      folder = mkdtempSync(join(tmpdir(), "tenon-same-plan-"));
      launched = await launchProvider({ command: notebookCommand });
      await configure(launched, join(folder, "notes.db"), 0);
      managed = new ManagedResources(launched, address);
      workspace = new CliWorkspace(peers[cli].path, { kind: "devOverrides", source: address, folder: join(provider.folder, "dev") });
    });
    afterEach(async () => {
      await launched.close();
      workspace[Symbol.dispose]();
      rmSync(folder, { recursive: true });
    });

    test("agree on create, change in place, replace and destroy", async ({ expect }) => {
      for (const configured of [stages.created, stages.created, stages.changedInPlace, stages.replaced, []]) {
        workspace.write({ "main.tf.json": JSON.stringify(configuration(configured)) });
        const theirs = await workspace.plan();
        const plans = await managed.plan(configured);
        expect(Object.fromEntries(plans.map((plan) => [plan.address, ourPlan(plan)]))).toEqual(
          Object.fromEntries((theirs.resource_changes ?? []).map((change) => [change.address, planOfCli(change)])),
        );
        const written = withoutCliNotes(await workspace.must(["show", "-no-color", "plan.bin"]));
        for (const plan of plans.filter(({ planned }) => planned.action !== "noOp"))
          expect(written).toContain(indented(changesText([plan])));
        await workspace.must(["apply", "-input=false", "plan.bin"]);
        await managed.apply(plans, (_address, _action, work) => work());
        const recorded = (await workspace.state()).values?.root_module.resources ?? [];
        expect(Object.fromEntries(managed.addresses.map((one) => [one, jsonOf(managed.object(one)?.value)]))).toEqual(
          Object.fromEntries(recorded.map((one) => [one.address, one.values])),
        );
      }
    });
  });
}

/** Removes the CLI's reason for a destroy, which our plan does not have, and tofu's second note about what forces a replacement. */
function withoutCliNotes(text: string): string {
  return text.replaceAll(/^  # \(because .*\n/gm, "").replaceAll("# forces replacement -> ", "-> ");
}

/** Indents the comment, as the CLIs do. */
function indented(text: string): string {
  const [comment, ...lines] = text.split("\n");
  return [`  ${comment}`, ...lines].join("\n");
}

function configuration(configured: readonly ConfiguredResource[]): object {
  const resource: Record<string, Record<string, unknown>> = {};
  for (const { typeName, name, config } of configured) {
    (resource[typeName] ??= {})[name] = config((address, attribute) => `\${${address}.${attribute}}`);
  }
  return {
    terraform: { required_providers: { notebook: { source: address } } },
    provider: { notebook: { path: "${path.module}/notes.db" } },
    ...(configured.length === 0 ? {} : { resource }),
  };
}

function ourPlan({ planned }: ResourcePlan): ComparedPlan {
  const actions = { noOp: ["no-op"], create: ["create"], update: ["update"], replace: ["delete", "create"], delete: ["delete"] }[
    planned.action
  ];
  return {
    actions,
    replacePaths: planned.requiresReplace.map((path: Path) => formatPath(path).replace(/^\./, "")),
    before: jsonOf(planned.before),
    after: jsonOf(planned.after),
    unknown: unknownOf(planned.after) ?? {},
  };
}

function planOfCli({ change }: ResourceChangeJson): ComparedPlan {
  return {
    actions: change.actions,
    replacePaths: (change.replace_paths ?? []).map((path) => path.join(".")),
    before: change.before,
    after: change.after,
    unknown: pruned(change.after_unknown) ?? {},
  };
}

/** Formats a value as the CLIs print it, without unknown values. */
function jsonOf(value: Value | undefined): unknown {
  if (value === undefined || value.payload === null) return null;
  return withoutUnknown(value.type, value.payload);
}

function withoutUnknown(type: Value["type"], payload: Payload): unknown {
  if (payload === null) return null;
  if (type.kind === "object" && Array.isArray(payload)) {
    return Object.fromEntries(
      type.names.flatMap((name, index) => {
        const member = payload[index] as Payload;
        const memberType = type.attributes[name];
        return memberType === undefined || isUnknownPayload(member) ? [] : [[name, withoutUnknown(memberType, member)]];
      }),
    );
  }
  return JSON.parse(encode({ type, payload } as Value, type)) as unknown;
}

function unknownOf(value: Value): unknown {
  const { type, payload } = value;
  if (type.kind !== "object" || !Array.isArray(payload)) return undefined;
  const names = type.names.filter((_name, index) => isUnknownPayload(payload[index] as Payload));
  return Object.fromEntries(names.map((name) => [name, true]));
}

/** Removes the empty objects and lists of false that the CLIs print for known parts. */
function pruned(unknown: unknown): unknown {
  if (typeof unknown !== "object" || unknown === null) return unknown === true ? true : undefined;
  const entries = Object.entries(unknown).flatMap(([name, below]) => {
    const kept = pruned(below);
    return kept === undefined || (typeof kept === "object" && kept !== null && Object.keys(kept).length === 0)
      ? []
      : [[name, kept] as const];
  });
  return Object.fromEntries(entries);
}
