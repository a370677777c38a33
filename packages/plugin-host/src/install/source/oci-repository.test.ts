// SPDX-License-Identifier: Apache-2.0
import { describe, test } from "vitest";
import { repositoryFor } from "./oci-repository.ts";

const address = { hostname: "registry.opentofu.org", namespace: "acme", type: "notes" };

describe("repositoryFor", () => {
  test.for([
    ["ghcr.io/${namespace}/${type}", "ghcr.io", "acme/notes"],
    ["o.example.com:5000/${ hostname }/x", "o.example.com:5000", "registry.opentofu.org/x"],
    ['o.example.com/%{ if namespace == "acme" }ours%{ else }theirs%{ endif }/${type}', "o.example.com", "ours/notes"],
  ])("evaluates %s", async ([template, host, path], { expect }) => {
    expect(await repositoryFor(template!, address)).toEqual({ host, path });
  });

  test.for([
    ["ghcr.io/${version}", "Unknown variable"],
    ["ghcr.io/${", "Missing expression"],
    ["ghcr.io", '"ghcr.io" is not the address of a repository'],
    ["ghcr.io/Upper", "is not the address of a repository"],
    ["ghcr.io/../x", "is not the address of a repository"],
  ])("rejects %s", async ([template, message], { expect }) => {
    await expect(repositoryFor(template!, address)).rejects.toMatchObject({
      code: "INVALID_CLI_CONFIG",
      message: expect.stringContaining(message!),
    });
  });
});
