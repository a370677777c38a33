// SPDX-License-Identifier: Apache-2.0
import { internalValidate, type GetMetadataResponse, type GetProviderSchemaResponse } from "@tenon/schema";
import type { Violation } from "./law.ts";
import { isCrash, isUnimplemented, type RecordedCalls } from "./recorded-calls.ts";

/** Checks the schema of a resource type. */
export function checkSchema({ resources }: GetProviderSchemaResponse, typeName: string): readonly Violation[] {
  const problems = internalValidate(resources.get(typeName)!);
  if (problems.length === 0) return [];
  return [{ law: "schema-valid", text: problems.map(({ path, message }) => `${path.join(".") || "the schema"}: ${message}`).join("\n") }];
}

/** Compares the names in GetMetadata with those in GetProviderSchema. No core calls GetMetadata, and many providers do not have it. */
export async function checkNames(calls: RecordedCalls, schema: GetProviderSchemaResponse): Promise<readonly Violation[]> {
  let metadata: GetMetadataResponse;
  try {
    metadata = await calls.provider.getMetadata({});
  } catch (error) {
    if (isUnimplemented(error)) return [];
    if (!isCrash(error)) throw error;
    await calls.avoid("getMetadata");
    return [{ law: "answers-calls", text: `GetMetadata: ${firstLines(error.message)}` }];
  }
  const kinds = { resources: metadata.resources, dataSources: metadata.dataSources } as const;
  return Object.entries(kinds).flatMap(([kind, names]) => {
    const expected = [...schema[kind as keyof typeof kinds].keys()].toSorted();
    const actual = [...names].toSorted();
    if (expected.join() === actual.join()) return [];
    const missing = expected.filter((name) => !actual.includes(name));
    const extra = actual.filter((name) => !expected.includes(name));
    const text = `${kind}: GetMetadata lacks ${missing.join(", ") || "none"}, and has in addition ${extra.join(", ") || "none"}`;
    return [{ law: "names-agree" as const, text }];
  });
}

/** Requests the identity schemas, which a provider need not have. */
export async function checkIdentitySchemas(calls: RecordedCalls): Promise<readonly Violation[]> {
  try {
    await calls.provider.getResourceIdentitySchemas({});
    return [];
  } catch (error) {
    if (isUnimplemented(error)) return [];
    if (!isCrash(error)) throw error;
    await calls.avoid("getResourceIdentitySchemas");
    return [{ law: "answers-calls", text: `GetResourceIdentitySchemas: ${firstLines(error.message)}` }];
  }
}

/** The beginning of a text, without the stack of a crash. */
export function firstLines(text: string): string {
  return text.split("\n").slice(0, 2).join("\n");
}
