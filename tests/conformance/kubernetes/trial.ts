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
import { generateBlock, randomFor, type Random } from "@tenon/testing/generate";
import { faultyParameters } from "./faulty-parameters.ts";
import { ServedDefinitions } from "./served-definitions.ts";
import { unusualSchemas, unusualValues } from "./unusual-content.ts";

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

/** Number of definitions that are tried at once. */
const schemasAtOnce = 8;
/** Number of objects of one definition that are tried at once. */
const objectsAtOnce = 4;

/** Options of {@link tryCases}. */
export interface TrialOptions {
  readonly seed: number;
  /** Number of schemas. */
  readonly schemas: number;
  /** Number of objects of each schema. */
  readonly objects: number;
  /** Number of the first schema, a multiple of eight. */
  readonly from?: number;
}

/** Tries random cases: objects of random schemas. A case is reproduced by the seed, the number of its schema, and its own. */
export async function tryCases(
  report: TrialReport,
  server: KubernetesServer,
  { seed, schemas, objects, from = 0 }: TrialOptions,
): Promise<void> {
  const last = from + schemas;
  for (let first = from; first < last; first += schemasAtOnce) {
    const resources = unusualSchemas(randomFor(seed, "schemas", first), Math.min(schemasAtOnce, last - first));
    await tryProvider(report, server, resources, { seed, area: `schemas-${first}`, objects });
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
      const first = new Trial(report, server, kind, randomFor(seed, area, at * objects), 0);
      const numbers = Array.from({ length: objects - 1 }, (_, index) => index + 1);
      const note = (number: number, failures: readonly string[]): void => {
        if (failures.length === 0) report.passed += 1;
        report.failures.push(...failures.map((failure) => `${area} ${kind.typeName} ${number}: ${failure}`));
      };
      note(0, await first.run());
      const worker = async (): Promise<void> => {
        for (let number = numbers.shift(); number !== undefined; number = numbers.shift()) {
          const trial = new Trial(report, server, kind, randomFor(seed, area, at * objects + number), number, first.stored);
          note(number, await trial.run());
        }
      };
      await Promise.all(Array.from({ length: objectsAtOnce }, worker));
    }),
  );
}

/**
 * One case: a valid object and a faulty one, and a state. The first object of a definition is stored. For the others, the API server does everything
 * but store them (a dry run), and their states are those of the first object.
 */
class Trial {
  readonly #report: TrialReport;
  readonly #server: KubernetesServer;
  readonly #kind: KindMapping;
  readonly #random: Random;
  readonly #name: string;
  readonly #path: string;
  readonly #isStored: boolean;
  readonly #failures: string[] = [];
  /** The stored object in its last response; undefined if the API server has refused it. */
  stored: KubernetesResponse | undefined;

  constructor(
    report: TrialReport,
    server: KubernetesServer,
    kind: KindMapping,
    random: Random,
    number: number,
    stored?: KubernetesResponse,
  ) {
    this.#report = report;
    this.#server = server;
    this.#kind = kind;
    this.#random = random;
    this.#name = `n${number}`;
    this.#isStored = number === 0;
    this.stored = stored;
    this.#path = `/apis/${kind.group}/v1alpha1/namespaces/default/${kind.names.plural}`;
  }

  async run(): Promise<readonly string[]> {
    const secrets = new Map<string, string>();
    const secret = ({ name, key }: SecretKeyReference): string | undefined => secrets.get(`${name}/${key}`);
    const configuration = generateBlock(this.#random, this.#kind.schema.block, "configuration", unusualValues);
    const { forProvider, inexact } = parametersOf(this.#kind, configuration, (_, text) => {
      secrets.set(`s/k${secrets.size}`, text);
      return { name: "s", key: `k${secrets.size - 1}` };
    });
    const created = await this.#send(forProvider, this.#isStored ? "" : "?dryRun=All");
    if (created.status === 201) {
      if (this.#isStored) this.stored = created;
      const { spec } = parseJson(created.text) as { readonly spec: { readonly forProvider: JsonObject } };
      const { value, problems } = configurationOf(this.#kind, { forProvider: spec.forProvider, secret });
      if (problems.length > 0) this.#fail(`a valid object has problems: ${JSON.stringify(problems)}`);
      else if (inexact.length > 0) this.#count("valid, rounded");
      else if (same(value, configuration)) this.#count("valid, equal");
      else this.#fail(`an object is not read as it was written:\n${goString(configuration)}\n${goString(value)}\n${created.text}`);
      if (this.stored) await this.#tryStatus(this.stored);
    } else this.#fail(`a valid object is refused: ${created.text}\n${jsonText(forProvider)}`);
    await this.#tryFault(forProvider, secret);
    return this.#failures;
  }

  async #tryStatus({ body }: KubernetesResponse): Promise<void> {
    const state = generateBlock(this.#random, this.#kind.schema.block, "state", unusualValues);
    const { atProvider, inexact } = observationOf(this.#kind, state);
    const sent = jsonText({ ...(body as JsonObject), status: { atProvider } });
    const path = `${this.#path}/n0/status?fieldValidation=Strict${this.#isStored ? "" : "&dryRun=All"}`;
    const written = await this.#server.request("PUT", path, sent);
    if (written.status !== 200) return this.#fail(`a state is refused: ${written.text}\n${jsonText(atProvider)}`);
    if (this.#isStored) this.stored = written;
    const read = (parseJson(written.text) as { readonly status?: { readonly atProvider?: JsonObject } }).status?.atProvider ?? {};
    if (inexact.length > 0) this.#count("state, rounded");
    else if (isDeepStrictEqual(read, { ...atProvider })) this.#count("state, equal");
    else this.#fail(`a state is not stored as it is:\n${jsonText(atProvider)}\n${jsonText(read)}`);
  }

  async #tryFault(valid: JsonObject, secret: (reference: SecretKeyReference) => string | undefined): Promise<void> {
    const { parameters, fault, path } = faultyParameters(this.#random, this.#kind, valid);
    const response = await this.#send(parameters, "?fieldValidation=Strict&dryRun=All", `${this.#name}-faulty`);
    if (response.status !== 201) {
      if (response.text.includes(path)) return this.#count(`${fault}, refused by the API server`);
      return this.#fail(`the refusal of a ${fault} at ${path} does not name it: ${response.text}`);
    }
    const { spec } = parseJson(response.text) as { readonly spec: { readonly forProvider: JsonObject } };
    const { problems } = configurationOf(this.#kind, { forProvider: spec.forProvider, secret });
    if (problems.some((problem) => problem.path.startsWith(path))) return this.#count(`${fault}, refused by validation`);
    this.#fail(`a ${fault} at ${path} is not refused: ${jsonText(parameters)}; problems: ${JSON.stringify(problems)}`);
  }

  async #send(forProvider: JsonObject, query: string, name = this.#name): Promise<KubernetesResponse> {
    const object = { apiVersion: `${this.#kind.group}/v1alpha1`, kind: this.#kind.names.kind, metadata: { name }, spec: { forProvider } };
    return await this.#server.request("POST", `${this.#path}${query}`, jsonText(object));
  }

  #count(outcome: string): void {
    this.#report.outcomes.set(outcome, (this.#report.outcomes.get(outcome) ?? 0) + 1);
  }

  #fail(failure: string): void {
    this.#failures.push(failure);
  }
}
