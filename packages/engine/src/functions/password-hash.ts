// SPDX-License-Identifier: Apache-2.0
import { encodeBase64, hashSync } from "bcryptjs";
import { CtyError, number, of, string } from "@tenon/cty";
import { defineFunction, type CtyFunction } from "@tenon/cty/function";
import { integerOf, stringOf } from "@tenon/cty/unstable/native";
import type { FunctionEnvironment } from "./environment.ts";

const defaultCost = 10;
const minCost = 4;
const maxCost = 31;
const saltBytes = 16;
const maxPasswordBytes = 72;

/**
 * The function `bcrypt`: hashes a password. Each call returns a different result.
 *
 * @see OpenTofu funcs.BcryptFunc, golang.org/x/crypto/bcrypt
 */
export function bcryptFunction({ randomBytes }: Pick<FunctionEnvironment, "randomBytes">): CtyFunction {
  return defineFunction({
    description: "Hashes a password with bcrypt. The cost is 10 unless given.",
    params: [{ name: "str", type: string }],
    varParam: { name: "cost", type: number },
    type: string,
    refineResult: { notNull: true },
    impl: ([password, ...options]) => {
      const [given] = options;
      const cost = given === undefined ? BigInt(defaultCost) : integerOf(given);
      if (options.length > 1) throw new CtyError("INVALID_VALUE", "bcrypt() takes no more than two arguments");
      const text = stringOf(password);
      if (Buffer.byteLength(text) > maxPasswordBytes) refuse(`bcrypt: password length exceeds ${maxPasswordBytes} bytes`);
      if (cost > maxCost) refuse(`crypto/bcrypt: cost ${cost} is outside allowed inclusive range ${minCost}..${maxCost}`);
      // Go uses the default for a cost below the minimum.
      const rounds = cost < minCost ? defaultCost : Number(cost);
      const salt = `$2a$${String(rounds).padStart(2, "0")}$${encodeBase64(randomBytes(saltBytes), saltBytes)}`;
      return of(string, hashSync(text, salt));
    },
  });
}

function refuse(reason: string): never {
  throw new CtyError("INVALID_VALUE", `error occurred generating password ${reason}`);
}
