// SPDX-License-Identifier: Apache-2.0

const resources = 20;
const instances = 5500;

/** Returns a state file of 110,000 instances and about 50 MB, as tofu writes it. */
export function largeState(): string {
  const state = {
    version: 4,
    terraform_version: "1.12.6",
    serial: 1,
    lineage: "0d7d6f7e-5c0e-4c52-9d0d-8b3c4a6d3c11",
    outputs: {},
    resources: Array.from({ length: resources }, (_, number) => resource(`r${String(number).padStart(2, "0")}`)),
    check_results: null,
  };
  return `${JSON.stringify(state, undefined, 2)}\n`;
}

function resource(name: string): object {
  return {
    mode: "managed",
    type: "bench_note",
    name,
    provider: 'provider["registry.opentofu.org/tenon/bench"]',
    instances: Array.from({ length: instances }, (_, index) => ({
      index_key: index,
      schema_version: 0,
      attributes: {
        body: "Bread, butter, and cheese.",
        id: `note-${name}-${index}`,
        pinned: false,
        priority: 0,
        revision: 1,
        tags: { team: "platform" },
        title: `Note ${index}`,
      },
      sensitive_attributes: [],
    })),
  };
}
