// SPDX-License-Identifier: Apache-2.0
import type { DescEnum, DescMessage } from "@bufbuild/protobuf";

/** Resolves the type names that descriptors refer to. */
export interface DescriptorScope {
  /** Descriptor of a message. @throws TypeError when there is no message of that name. */
  message(typeName: string): DescMessage;
  /** Descriptor of an enum. @throws TypeError when there is no enum of that name. */
  enum(typeName: string): DescEnum;
}
