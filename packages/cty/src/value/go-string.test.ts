// SPDX-License-Identifier: Apache-2.0
import { describe, test } from "vitest";
import { capsule, capsuleOf, goString, mark, of, string } from "../index.ts";

class Client {
  readonly token = "secret";

  toString(): string {
    return this.token;
  }
}

describe("goString of a capsule", () => {
  test("names the class of the native and not its content", ({ expect }) => {
    expect(goString(capsuleOf(capsule<Client>("client"), new Client()))).toBe('cty.CapsuleVal(cty.Capsule("client"), (*Client))');
    expect(goString(capsuleOf(capsule<string>("token"), "secret"))).toBe('cty.CapsuleVal(cty.Capsule("token"), (*string))');
  });

  test("accepts a native without a prototype", ({ expect }) => {
    expect(goString(capsuleOf(capsule<object>("bare"), Object.create(null) as object))).toBe(
      'cty.CapsuleVal(cty.Capsule("bare"), (*object))',
    );
  });

  test("uses the type's own operations", ({ expect }) => {
    const client = capsule<Client>("client", { goString: () => "test.Client()", typeGoString: () => "test.ClientType" });
    expect(goString(capsuleOf(client, new Client()))).toBe("test.Client()");
  });
});

test("goString accepts a mark without a prototype", ({ expect }) => {
  expect(goString(mark(of(string, "a"), Object.create(null)))).toBe('cty.StringVal("a").Mark(object)');
});
