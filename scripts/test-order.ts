// SPDX-License-Identifier: Apache-2.0
import { BaseSequencer, type TestSpecification } from "vitest/node";

/**
 * Starts the files first whose size does not tell how long they take: short files that run many generated cases. Vitest itself starts the largest files
 * first where it has not measured them. A long file that starts last would leave the other cores without work.
 */
export class LongFilesFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files);
    const isLong = ({ moduleId }: TestSpecification) =>
      moduleId.includes("/tests/interop/soak/") || moduleId.includes("/tests/conformance/");
    return [...sorted.filter(isLong), ...sorted.filter((file) => !isLong(file))];
  }
}
