// SPDX-License-Identifier: Apache-2.0
import { isDeepStrictEqual } from "node:util";
import { goString, same } from "@tenon/cty";
import {
  configurationOf,
  customResourceDefinition,
  jsonText,
  mapKinds,
  observationOf,
  parametersOf,
  parseJson,
  type JsonObject,
  type KindMapping,
  type SecretKeyReference,
} from "@tenon/bridge/kubernetes";
import type { KubernetesResponse, KubernetesServer } from "@tenon/peers/kubernetes";
import type { Schema } from "@tenon/schema";
import { randomFor, type Random } from "../cty/random.ts";
import { faultyParameters } from "./faulty-parameters.ts";
import { randomSchemas } from "./random-schema.ts";
import { randomBlockValue } from "./random-value.ts";
import { ServedDefinitions } from "./served-definitions.ts";

/** Result of many cases. */
export interface TrialReport {
  definitions: number;
  passed: number;
  readonly failures: string[];
  /** Numbers of outcomes by name. */
  readonly outcomes: Map<string, number>;
}

export function createReport(): TrialReport {
  return { definitions: 0, passed: 0, failures: [], outcomes: new Map() };
}

const casesPerSchema = 5;
const schemasAtOnce = 8;

/** Tries random cases: objects of random schemas, five of each. A case is reproduced by seed and number. */
export async function tryCases(
  report: TrialReport,
  server: KubernetesServer,
  { seed, cases, from = 0 }: { readonly seed: number; readonly cases: number; readonly from?: number },
): Promise<void> {
  const last = from + cases;
  for (let first = from; first < last; first += casesPerSchema * schemasAtOnce) {
    const count = Math.min(schemasAtOnce, Math.ceil((last - first) / casesPerSchema));
    const schemas = await randomSchemas(randomFor(seed, "schemas", first), count);
    await tryProvider(report, server, schemas, { seed, area: `cases-${first}`, objects: casesPerSchema });
  }
}

/** Tries all resource types of a provider: definitions, and random objects of each. */
export async function tryProvider(
  report: TrialReport,
  server: KubernetesServer,
  resources: ReadonlyMap<string, Schema>,
  { seed, area, objects }: { readonly seed: number; readonly area: string; readonly objects: number },
): Promise<void> {
  // A group of its own: a definition that is being deleted keeps its name.
  const kinds = mapKinds({ schemas: { resources } }, { group: `${area}.tenon.test` });
  await using definitions = new ServedDefinitions(server);
  await Promise.all(
    kinds.map(async (kind, at) => {
      const refused = await definitions.add(customResourceDefinition(kind));
      report.definitions += 1;
      if (refused !== undefined) {
        report.failures.push(`${area} ${kind.typeName}: the definition is refused: ${refused}`);
        return;
      }
      for (let number = 0; number < objects; number += 1) {
        const random = randomFor(seed, area, at * objects + number);
        const failures = await new Trial(report, server, kind, random, number).run();
        if (failures.length === 0) report.passed += 1;
        report.failures.push(...failures.map((failure) => `${area} ${kind.typeName} ${number}: ${failure}`));
      }
    }),
  );
}

/** One case. */
class Trial {
  readonly #report: TrialReport;
  readonly #server: KubernetesServer;
  readonly #kind: KindMapping;
  readonly #random: Random;
  readonly #name: string;
  readonly #path: string;
  readonly #failures: string[] = [];

  constructor(report: TrialReport, server: KubernetesServer, kind: KindMapping, random: Random, number: number) {
    this.#report = report;
    this.#server = server;
    this.#kind = kind;
    this.#random = random;
    this.#name = `n${number}`;
    this.#path = `/apis/${kind.group}/v1alpha1/namespaces/default/${kind.names.plural}`;
  }

  async run(): Promise<readonly string[]> {
    const secrets = new Map<string, string>();
    const secret = ({ name, key }: SecretKeyReference): string | undefined => secrets.get(`${name}/${key}`);
    const configuration = randomBlockValue(this.#random, this.#kind.schema.block, "configuration");
    const { forProvider, inexact } = parametersOf(this.#kind, configuration, (_, text) => {
      secrets.set(`s/k${secrets.size}`, text);
      return { name: "s", key: `k${secrets.size - 1}` };
    });
    const created = await this.#send("POST", this.#path, forProvider);
    if (created.status === 201) {
      const { spec } = parseJson(created.text) as { readonly spec: { readonly forProvider: JsonObject } };
      const { value, problems } = configurationOf(this.#kind, { forProvider: spec.forProvider, secret });
      if (problems.length > 0) this.#fail(`a valid object has problems: ${JSON.stringify(problems)}`);
      else if (inexact.length > 0) this.#count("valid, rounded");
      else if (same(value, configuration)) this.#count("valid, equal");
      else this.#fail(`an object is not read as it was written:\n${goString(configuration)}\n${goString(value)}\n${created.text}`);
      await this.#tryStatus(created);
    } else this.#fail(`a valid object is refused: ${created.text}\n${jsonText(forProvider)}`);
    await this.#tryFault(forProvider, secret);
    return this.#failures;
  }

  async #tryStatus({ body }: KubernetesResponse): Promise<void> {
    const state = randomBlockValue(this.#random, this.#kind.schema.block, "state");
    const { atProvider, inexact } = observationOf(this.#kind, state);
    const { spec: _, ...object } = body as { readonly spec: unknown };
    const sent = jsonText({ ...object, spec: body.spec, status: { atProvider } });
    const stored = await this.#server.request("PUT", `${this.#path}/${this.#name}/status?fieldValidation=Strict`, sent);
    if (stored.status !== 200) return this.#fail(`a state is refused: ${stored.text}\n${jsonText(atProvider)}`);
    const read = (parseJson(stored.text) as { readonly status?: { readonly atProvider?: JsonObject } }).status?.atProvider ?? {};
    if (inexact.length > 0) this.#count("state, rounded");
    else if (isDeepStrictEqual(read, { ...atProvider })) this.#count("state, equal");
    else this.#fail(`a state is not stored as it is:\n${jsonText(atProvider)}\n${jsonText(read)}`);
  }

  async #tryFault(valid: JsonObject, secret: (reference: SecretKeyReference) => string | undefined): Promise<void> {
    const { parameters, fault, path } = faultyParameters(this.#random, this.#kind, valid);
    const response = await this.#send("POST", `${this.#path}?fieldValidation=Strict`, parameters, `${this.#name}-faulty`);
    if (response.status !== 201) {
      if (response.text.includes(path)) return this.#count(`${fault}, refused by the API server`);
      return this.#fail(`the refusal of a ${fault} at ${path} does not name it: ${response.text}`);
    }
    const { spec } = parseJson(response.text) as { readonly spec: { readonly forProvider: JsonObject } };
    const { problems } = configurationOf(this.#kind, { forProvider: spec.forProvider, secret });
    if (problems.some((problem) => problem.path.startsWith(path))) return this.#count(`${fault}, refused by validation`);
    this.#fail(`a ${fault} at ${path} is not refused: ${jsonText(parameters)}; problems: ${JSON.stringify(problems)}`);
  }

  async #send(method: string, path: string, forProvider: JsonObject, name = this.#name): Promise<KubernetesResponse> {
    const object = { apiVersion: `${this.#kind.group}/v1alpha1`, kind: this.#kind.names.kind, metadata: { name }, spec: { forProvider } };
    return await this.#server.request(method, path, jsonText(object));
  }

  #count(outcome: string): void {
    this.#report.outcomes.set(outcome, (this.#report.outcomes.get(outcome) ?? 0) + 1);
  }

  #fail(failure: string): void {
    this.#failures.push(failure);
  }
}
