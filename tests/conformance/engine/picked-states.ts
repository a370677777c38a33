// SPDX-License-Identifier: Apache-2.0

const time = 'provider["registry.opentofu.org/hashicorp/time"]';

/** A state file with one resource, `time_static.a`. */
function resourceWith(instances: readonly object[], parts: object = { provider: time }): string {
  const resource = { mode: "managed", type: "time_static", name: "a", ...parts, instances };
  return JSON.stringify({ version: 4, terraform_version: "1.12.6", serial: 1, lineage: "", outputs: {}, resources: [resource] });
}

const object = { schema_version: 0, attributes: { id: "1" } };

/** State files with several errors in one instance, where random files seldom have them. */
export const pickedStates: Readonly<Record<string, string>> = {
  "an invalid dependency of a duplicate instance": resourceWith([object, { ...object, dependencies: ["not an address"] }]),
  "an invalid dependency of an object with an invalid deposed key": resourceWith([
    { ...object, deposed: "abc", dependencies: ["not an address", "time_static.b"] },
  ]),
  "an invalid dependency of an object with an invalid status": resourceWith([
    { ...object, status: "odd", dependencies: ["not an address"] },
  ]),
  "duplicate instances without a provider": resourceWith([object, object], {}),
  "duplicate deposed objects without a provider": resourceWith(
    [{ ...object, deposed: "deadbeef" }, { ...object, deposed: "deadbeef" }, object],
    {},
  ),
  "an invalid sensitive path of an instance without a provider": resourceWith(
    [{ ...object, sensitive_attributes: [[{ type: "got_attr", value: "id" }]] }],
    {},
  ),
  "duplicate instances, one with an invalid provider of its own": resourceWith([{ ...object, provider: "provider.aws" }, object]),
  "instances with different providers of their own": resourceWith(
    [
      { ...object, index_key: 0, provider: `${time}.west["a"]` },
      { ...object, index_key: 1, provider: `${time}.east["a"]` },
    ],
    {},
  ),
  "duplicate instances in two resources of the same address": JSON.stringify({
    version: 4,
    resources: ["x", "y"].map((id) => ({
      mode: "managed",
      type: "time_static",
      name: "a",
      provider: time,
      instances: [{ ...object, attributes: { id }, dependencies: [`module.m["${id}`] }],
    })),
  }),
};
