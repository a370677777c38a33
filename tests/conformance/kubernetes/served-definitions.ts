// SPDX-License-Identifier: Apache-2.0
import type { CustomResourceDefinition } from "@tenon/bridge/kubernetes";
import type { KubernetesServer } from "@tenon/peers/kubernetes";

const definitionsPath = "/apis/apiextensions.k8s.io/v1/customresourcedefinitions";

/** Definitions on a server, which are deleted with their objects in the end. */
export class ServedDefinitions implements AsyncDisposable {
  readonly #server: KubernetesServer;
  readonly #names: string[] = [];

  constructor(server: KubernetesServer) {
    this.#server = server;
  }

  /**
   * Creates a definition, and waits until the server serves its objects.
   *
   * @returns the reason why the server refuses the definition, or does not accept its names; undefined when it serves them.
   */
  async add(definition: CustomResourceDefinition): Promise<string | undefined> {
    const { name } = definition.metadata;
    const created = await this.#server.request("POST", `${definitionsPath}?fieldValidation=Strict`, definition);
    if (created.status !== 201) return `${created.status}: ${String(created.body.message ?? created.text)}`;
    this.#names.push(name);
    for (;;) {
      const { body } = await this.#server.request("GET", `${definitionsPath}/${name}`);
      const conditions = (body.status?.conditions ?? []) as readonly { type: string; status: string; message: string }[];
      const failed = conditions.find(({ type, status }) => isFailure(type, status));
      if (failed) return `${failed.type}=${failed.status}: ${failed.message}`;
      if (conditions.some(({ type, status }) => type === "Established" && status === "True")) return undefined;
      await new Promise((resolve) => void setTimeout(resolve, 20));
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await Promise.all(this.#names.map((name) => this.#server.request("DELETE", `${definitionsPath}/${name}`)));
  }
}

function isFailure(type: string, status: string): boolean {
  return (type === "NamesAccepted" && status === "False") || (type === "NonStructuralSchema" && status === "True");
}
