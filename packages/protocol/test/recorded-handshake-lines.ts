// SPDX-License-Identifier: Apache-2.0
import type { HandshakeLine } from "../src/handshake/handshake-line.ts";

/** Recorded handshake lines of real plugins, and their meaning. */
export const recordedHandshakeLines: readonly {
  readonly plugin: string;
  readonly line: string;
  readonly meaning: Omit<HandshakeLine, "certificate" | "coreVersion">;
  readonly certificateLength?: number;
}[] = [
  {
    plugin: "terraform-provider-time 0.14.2 (go-plugin 1.7.0), plaintext",
    line: "1|5|unix|/tmp/plugin2563194019|grpc|\n",
    meaning: { protocolVersion: 5, address: { network: "unix", path: "/tmp/plugin2563194019" } },
  },
  {
    plugin: "terraform-provider-time 0.14.2 (go-plugin 1.7.0), AutoMTLS",
    line: "1|5|unix|/tmp/plugin1077103429|grpc|MIICTzCCAbGgAwIBAgIRAMjRRO1m3vxZQ0Nqbt76VaQwCgYIKoZIzj0EAwQwKDESMBAGA1UEChMJSGFzaGlDb3JwMRIwEAYDVQQDEwlsb2NhbGhvc3QwIBcNMjYxMTIxMTAzMjA3WhgPMjA1NjExMjAyMjMyMzdaMCgxEjAQBgNVBAoTCUhhc2hpQ29ycDESMBAGA1UEAxMJbG9jYWxob3N0MIGbMBAGByqGSM49AgEGBSuBBAAjA4GGAAQBnCNznoaIr9S65VyrGu1jf4qni6LNJRhHIsbe8KBuHpJOOArN5VD4xnH67+FDGznf+U8O8Ze3vG5TTC9UZ8eScHcARfSFjBKhpdIzrTHuUWwTSuXpwYL+ilBFyvr8FbDUvcukZBFEqzIeDD/90GNBh1SdqJfFKGt0bCYPVmaXRjpJNAWjdzB1MA4GA1UdDwEB/wQEAwICrDAdBgNVHSUEFjAUBggrBgEFBQcDAgYIKwYBBQUHAwEwDwYDVR0TAQH/BAUwAwEB/zAdBgNVHQ4EFgQUxXFIuhuCH0XQGMRWuc/fZmT/OlswFAYDVR0RBA0wC4IJbG9jYWxob3N0MAoGCCqGSM49BAMEA4GLADCBhwJBQUCyQtnCGoPPpt5BSrfshc8MMgLT9JwtOL42u8oSMOJF0lBwjC1667EHAz+wHv89+2idadKs0EkHDXQe9/PpgqYCQgDsm7nQ3h1qur+UCKtKBZnqEsg/rt6oSKXktzuCgK8wUdxLMZU3RjwJiE1h3feHmQygzHEioH3NlTawJcOnGVOCrg\n",
    meaning: { protocolVersion: 5, address: { network: "unix", path: "/tmp/plugin1077103429" } },
    certificateLength: 595,
  },
  {
    plugin: "terraform-provider-time 0.14.2 (go-plugin 1.7.0), multiplexing requested",
    line: "1|5|unix|/tmp/plugin2092588126|grpc||true\n",
    meaning: { protocolVersion: 5, address: { network: "unix", path: "/tmp/plugin2092588126" }, multiplexing: true },
  },
  {
    plugin: "a provider on terraform-plugin-framework, plaintext",
    line: "1|6|unix|/tmp/plugin3691700923|grpc|\n",
    meaning: { protocolVersion: 6, address: { network: "unix", path: "/tmp/plugin3691700923" } },
  },
];
