// SPDX-License-Identifier: Apache-2.0
// The YAML on the pages about Kubernetes: the API server accepts objects and statuses, and rules fit the schemas that they are about.
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import {
  customResourceDefinition,
  mapComponents,
  mapKinds,
  mapProviderConfig,
  providerConfigDefinitions,
  readResourceRules,
  type ComponentSource,
} from "@tenon/bridge/kubernetes";
import { installCustomResourceDefinitions, type ApiResource, type KubernetesObject } from "@tenon/bridge/kubernetes/machinery";
import { map, string, type Type } from "@tenon/cty";
import { describePeer } from "@tenon/peers/vitest";
import { createAttribute, createNestedBlock, createSchema, type Schema } from "@tenon/schema";
import { beforeAll, test } from "vitest";
import { parseAllDocuments } from "yaml";
import { kubernetesSuite } from "./kubernetes-suite.ts";

const docs = join(import.meta.dirname, "../../packages/bridge/docs");
const group = "notes.example.org";

type Document = Readonly<Record<string, unknown>>;

/** Every document in the YAML of the pages. The guide is followed by a test of its own. */
const documents: readonly (readonly [page: string, document: Document])[] = readdirSync(docs)
  .filter((page) => /^kubernetes-(?!getting-started)/.test(page))
  .flatMap((page) => {
    const blocks = readFileSync(join(docs, page), "utf8").matchAll(/^```yaml\n([\s\S]*?)^```$/gm);
    return [...blocks].flatMap(([, text = ""]) => parseAllDocuments(text).map((one) => [page, one.toJS() as Document] as const));
  });
const objects = documents.filter(([, document]) => "apiVersion" in document);
const statuses = documents.filter(([, document]) => "status" in document && !("apiVersion" in document));
const rules = documents.filter(([, document]) => !("apiVersion" in document) && !("status" in document));

const attribute = (type: Type, role: "required" | "optional" | "computed") => createAttribute({ type, [role]: true });
const id = attribute(string, "computed");
const [required, optional] = [attribute(string, "required"), attribute(string, "optional")];

/** The providers that the pages are about. */
const resources = new Map<string, Schema>([
  ["notes_note", createSchema({ attributes: { id, title: required, folder: optional } })],
  ["notes_folder", createSchema({ attributes: { id } })],
]);
const notes: ComponentSource = {
  schemas: {
    resources,
    dataSources: new Map([["notes_search", createSchema({ attributes: { text: required, folder: optional, result: id } })]]),
    functions: new Map([
      [
        "slug",
        {
          parameters: [],
          returnType: string,
          summary: "",
          description: "",
          descriptionKind: "plain",
          deprecationMessage: "",
        },
      ],
    ]),
    listResources: new Map([["notes_note", createSchema({ attributes: { folder: optional } })]]),
    ephemeralResources: new Map([["notes_token", createSchema({ attributes: { scope: required, token: id } })]]),
  },
};
const chosen = { data: ["notes_search"], function: ["slug"], list: ["notes_note"], ephemeral: ["notes_token"] };
const subnet = {
  attributes: { id, name: required, region: optional, vpc_id: optional, cidr_block: optional, tags: attribute(map(string), "optional") },
  blocks: { route: createNestedBlock("list", { attributes: { gateway_id: optional } }) },
};
const net = new Map<string, Schema>([
  ["net_subnet", createSchema(subnet)],
  ["net_vpc", createSchema({ attributes: { id } })],
  ["net_gateway", createSchema({ attributes: { id, arn: id } })],
  ["net_cluster", createSchema({ attributes: { id } })],
]);
const provider = createSchema({
  attributes: { endpoint: optional, token: createAttribute({ type: string, optional: true, sensitive: true }) },
});

test.for(rules)("the rules on %s fit their schemas: %j", ([, document], { expect }) => {
  const read = readResourceRules(document);
  const isNet = Object.keys(read).some((name) => name.startsWith("net_"));
  const mapped = isNet
    ? mapKinds({ schemas: { resources: net } }, { group, rules: read })
    : [...mapKinds(notes, { group, rules: read }), ...mapComponents(notes, { group, rules: read, ...chosen })];
  const mappedRules = [...mapped.map((kind) => kind.rules), mapProviderConfig(provider, { group, rules: read }).rules];
  expect(mappedRules.some((one) => Object.keys(one).length > 0)).toBe(true);
});

describePeer(["kube-apiserver", "etcd"], "on the pages about Kubernetes", (programs) => {
  const suite = kubernetesSuite(programs);
  beforeAll(async () => {
    const kinds = [...mapKinds(notes, { group }), ...mapComponents(notes, { group, ...chosen })];
    const definitions = [
      ...kinds.map((kind) => customResourceDefinition(kind)),
      ...providerConfigDefinitions(mapProviderConfig(provider, { group })),
    ];
    await installCustomResourceDefinitions(suite.client, definitions, { fieldManager: "test" });
    await suite.server.request("POST", "/api/v1/namespaces", { metadata: { name: "team-a" } });
  });

  function resourceOf({ apiVersion, kind }: KubernetesObject): ApiResource {
    const [, version = ""] = apiVersion!.split("/");
    const isConfig = kind === "ClusterProviderConfig";
    return { group, version, kind: kind!, plural: `${kind!.toLowerCase()}${isConfig ? "s" : ""}`, namespaced: !isConfig };
  }

  test.for(objects)("the API server accepts the object on %s: %j", async ([, document]) => {
    const object = document as unknown as KubernetesObject;
    await suite.client.apply(resourceOf(object), object, { fieldManager: "test", fieldValidation: "Strict" });
  });

  test.for(statuses)("the API server accepts the status on %s: %j", async ([, document], { expect }) => {
    const path = `/apis/${group}/v1alpha1/namespaces/default/note`;
    const { body } = await suite.server.request("POST", path, {
      apiVersion: `${group}/v1alpha1`,
      kind: "Note",
      metadata: { generateName: "note-" },
      spec: { forProvider: { title: "t" } },
    });
    const { status } = document as { readonly status: { readonly conditions: readonly object[] } };
    // The pages leave out the times.
    const conditions = status.conditions.map((condition) => ({ ...condition, lastTransitionTime: "2026-01-02T03:04:05Z" }));
    const written = { ...(body as object), status: { ...status, conditions } };
    const name = (body as { readonly metadata: { readonly name: string } }).metadata.name;
    const response = await suite.server.request("PUT", `${path}/${name}/status?fieldValidation=Strict`, written);
    expect(response.text).toContain('"conditions"');
  });
});
