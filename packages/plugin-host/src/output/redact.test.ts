// SPDX-License-Identifier: Apache-2.0
import { describe, test } from "vitest";
import { presentable, secretsOf } from "./redact.ts";

describe("secretsOf", () => {
  test("returns the values of variables whose names suggest a secret", ({ expect }) => {
    const environment = {
      AWS_SECRET_ACCESS_KEY: "aws-secret",
      GITHUB_TOKEN: "github-token-long",
      DB_PASSWORD: "pass-word",
      SERVICE_API_KEY: "api-key",
      OAUTH_AUTH: "basic-auth",
      SHORT_TOKEN: "abc",
      PATH: "/usr/bin",
      KEYBOARD: "qwerty",
      AUTHOR: "somebody",
      GONE_TOKEN: undefined,
    };
    expect(secretsOf(environment)).toEqual(["github-token-long", "aws-secret", "basic-auth", "pass-word", "api-key"]);
  });
});

describe("presentable", () => {
  test("redacts secrets, also one that contains another", ({ expect }) => {
    expect(presentable("a long-secret-part and a long-secret", ["long-secret-part", "long-secret"])).toBe("a (redacted) and a (redacted)");
  });

  test("redacts private keys, also a truncated one", ({ expect }) => {
    const key = "-----BEGIN RSA PRIVATE KEY-----\nMIIE\n-----END RSA PRIVATE KEY-----";
    expect(presentable(`before ${key} after`, [])).toBe("before (redacted private key) after");
    expect(presentable("before -----BEGIN PRIVATE KEY-----\nMII", [])).toBe("before (redacted private key)");
    expect(presentable("-----BEGIN CERTIFICATE-----", [])).toBe("-----BEGIN CERTIFICATE-----");
  });

  test("removes escape sequences and replaces control characters", ({ expect }) => {
    expect(presentable("\u001b[1;31mred\u001b[0m \u001b]0;title\u0007\u001b]8;;x\u001b\\link \u001b7\r\nnext\ttab\u0000\u0007\n", [])).toBe(
      "red link \nnext\ttab\ufffd\ufffd",
    );
  });
});
