// SPDX-License-Identifier: Apache-2.0
// Checks the subjects of the laws one after the other, with the defaults of `checkResource`, until one violates a law. Prints that law, and exits
// with 1; any other failure has a stack in the error output. `npm run mutate -- laws` runs it in copies of the packages with a mutation.
import { TestingError } from "@tenon/testing";
import { checkResource } from "@tenon/testing/laws";
import { lawSubjects } from "./law-subjects.ts";

const { subjects, remove } = lawSubjects();
try {
  for (const { typeName, provider, options } of subjects) {
    // The simplest case is not needed.
    await checkResource(provider, typeName, { ...options, shrinks: 0 });
  }
} catch (error) {
  if (!(error instanceof TestingError)) throw error;
  console.log(error.message);
  process.exitCode = 1;
} finally {
  remove();
}
