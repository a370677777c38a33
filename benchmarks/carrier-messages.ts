// SPDX-License-Identifier: Apache-2.0
// A request and a response with the same sizes as in the plan of a resource with seven attributes.
import { create, type MessageShape, toBinary } from "@bufbuild/protobuf";
import { Provider } from "@tenon/protocol/tfplugin6";

const input: typeof Provider.method.planResourceChange.input = Provider.method.planResourceChange.input;
const output: typeof Provider.method.planResourceChange.output = Provider.method.planResourceChange.output;

export type PlanRequest = MessageShape<typeof input>;
export type PlanAnswer = MessageShape<typeof output>;

const opaque = (length: number): { msgpack: Uint8Array } => ({ msgpack: new Uint8Array(length).fill(7) });

/** Request of 549 bytes. */
export const planRequest: PlanRequest = create(input, {
  typeName: "load_thing",
  priorState: opaque(170),
  proposedNewState: opaque(170),
  config: opaque(179),
});

/** Response of 264 bytes. */
export const planAnswer: PlanAnswer = create(output, { plannedState: opaque(258) });

export const sizes: { readonly request: number; readonly answer: number } = {
  request: toBinary(input, planRequest).length,
  answer: toBinary(output, planAnswer).length,
};
