// SPDX-License-Identifier: Apache-2.0
import { randomBytes } from "node:crypto";
import { once } from "node:events";
import { connect as connectHttp2, type OutgoingHttpHeaders } from "node:http2";
import { connect } from "node:net";
import { describe, test } from "vitest";
import { listen } from "../../../test/probe-link.ts";
import { RawPeer, settingsFrame } from "../../../test/raw-peer.ts";
import { flag, frameType } from "../frames/frame.ts";
import { HeaderDecoder } from "./header-decoder.ts";
import { encodeHeaders } from "./header-encoder.ts";
import { decodeHuffman } from "./huffman.ts";

const decode = (decoder: HeaderDecoder, hex: string): readonly string[] => {
  const bytes = Buffer.from(hex.replaceAll(" ", ""), "hex");
  return decoder.decode(bytes, 0, bytes.length).fields;
};

const first = [":method", "GET", ":scheme", "http", ":path", "/", ":authority", "www.example.com"];
const third = [":method", "GET", ":scheme", "https", ":path", "/index.html", ":authority", "www.example.com", "custom-key", "custom-value"];

describe("HeaderDecoder", () => {
  test("decodes the requests of RFC 7541, appendices C.3 and C.4", ({ expect }) => {
    const plain = new HeaderDecoder(65_536);
    expect(decode(plain, "8286 8441 0f77 7777 2e65 7861 6d70 6c65 2e63 6f6d")).toEqual(first);
    expect(decode(plain, "8286 84be 5808 6e6f 2d63 6163 6865")).toEqual([...first, "cache-control", "no-cache"]);
    expect(decode(plain, "8287 85bf 400a 6375 7374 6f6d 2d6b 6579 0c63 7573 746f 6d2d 7661 6c75 65")).toEqual(third);
    const huffman = new HeaderDecoder(65_536);
    expect(decode(huffman, "8286 8441 8cf1 e3c2 e5f2 3a6b a0ab 90f4 ff")).toEqual(first);
    expect(decode(huffman, "8286 84be 5886 a8eb 1064 9cbf")).toEqual([...first, "cache-control", "no-cache"]);
    expect(decode(huffman, "8287 85bf 4088 25a8 49e9 5ba9 7d7f 8925 a849 e95b b8e8 b4bf")).toEqual(third);
  });

  test("decodes the same bytes differently after the table has changed", ({ expect }) => {
    const decoder = new HeaderDecoder(65_536);
    decode(decoder, "40 01 61 01 31");
    expect(decode(decoder, "be")).toEqual(["a", "1"]);
    expect(decode(decoder, "be")).toEqual(["a", "1"]);
    decode(decoder, "40 01 62 01 32");
    expect(decode(decoder, "be")).toEqual(["b", "2"]);
    expect(decode(decoder, "bf")).toEqual(["a", "1"]);
  });

  test("returns the same object for an equal block", ({ expect }) => {
    const decoder = new HeaderDecoder(65_536);
    const bytes = encodeHeaders(first);
    expect(decoder.decode(bytes, 0, bytes.length)).toBe(decoder.decode(Buffer.from(bytes), 0, bytes.length));
  });

  test("evicts the oldest entries when the table shrinks", ({ expect }) => {
    const decoder = new HeaderDecoder(65_536);
    decode(decoder, "40 01 61 01 31");
    decode(decoder, "40 01 62 01 32");
    // 34 bytes: one such entry.
    expect(decode(decoder, "3f 03 be")).toEqual(["b", "2"]);
    expect(() => decode(decoder, "bf")).toThrow("no header with index 63");
    // To 0, and back: two updates in a row are allowed, a later one is not.
    expect(decode(decoder, "20 3f e1 1f")).toEqual([]);
    expect(() => decode(decoder, "be")).toThrow("no header with index 62");
    expect(() => decode(decoder, "82 20")).toThrow("after its first header");
  });

  test("empties the table for an entry that is larger", ({ expect }) => {
    const decoder = new HeaderDecoder(65_536);
    decode(decoder, "40 01 61 01 31");
    const long = Buffer.concat([Buffer.from("4001627fe11f", "hex"), Buffer.alloc(4192, "x")]);
    expect(decoder.decode(long, 0, long.length).fields[1]).toHaveLength(4192);
    expect(() => decode(decoder, "be")).toThrow("no header with index 62");
  });

  test("truncates a list that is too long, and still updates the table", ({ expect }) => {
    const decoder = new HeaderDecoder(100);
    const bytes = Buffer.concat([encodeHeaders(["a", "x".repeat(50), "b", "y".repeat(50)]), Buffer.from("4001610131", "hex")]);
    const list = decoder.decode(bytes, 0, bytes.length);
    expect([list.oversized, list.fields]).toEqual([true, ["a", "x".repeat(50)]]);
    expect(decode(decoder, "be")).toEqual(["a", "1"]);
  });
});

describe("decodeHuffman", () => {
  test.for([
    ["ff", "invalid padding"],
    ["1f ff", "invalid padding"],
    ["00", "invalid padding"],
    ["ff ff ff ff", "the end-of-string symbol"],
  ])("rejects %s", ([hex, why], { expect }) => {
    const bytes = Buffer.from(hex!.replaceAll(" ", ""), "hex");
    expect(() => decodeHuffman(bytes, 0, bytes.length)).toThrow(why);
  });
});

/** Node's encoder uses Huffman code and the dynamic table wherever it can. */
test("decodes the headers of Node's HTTP/2 client", async ({ expect }) => {
  const peers: RawPeer[] = [];
  await using listening = await listen("unix", (socket) => {
    const peer = new RawPeer(socket, "server");
    peers.push(peer);
    peer.send(settingsFrame());
  });
  const client = connectHttp2("http://localhost", { createConnection: () => connect((listening.address as { path: string }).path) });
  client.on("error", () => {});
  await once(client, "remoteSettings");
  const sent: OutgoingHttpHeaders[] = Array.from({ length: 200 }, (_, index) => ({
    ":path": `/${index % 7}`,
    [`x-${index % 13}`]: randomBytes(index)
      .toString("latin1")
      .replaceAll(/[^\x20-\x7e\xa0-\xff]/g, "")
      .trim(),
    "x-bin": randomBytes(index % 90).toString("base64"),
    "x-same": "again and again",
  }));
  for (const headers of sent) client.request(headers, { endStream: true }).on("error", () => {});
  const peer = peers[0]!;
  const hasHeaders = (streamId: number): boolean =>
    peer.frames.some((each) => each.type === frameType.headers && each.streamId === streamId && (each.flags & flag.endHeaders) !== 0);
  await peer.find(() => hasHeaders(sent.length * 2 - 1));
  const decoder = new HeaderDecoder(65_536);
  const arrived = peer.frames
    .filter(({ type }) => type === frameType.headers)
    .map(({ payload }) => decoder.decode(payload, 0, payload.length));
  expect(arrived.map((list) => list.faultAs("request"))).toEqual(sent.map(() => undefined));
  for (const [index, list] of arrived.entries()) {
    for (const [name, value] of Object.entries(sent[index]!)) expect(list.get(name), name).toBe(value);
  }
  client.destroy();
});

test("decodes the headers that encodeHeaders encodes", ({ expect }) => {
  const decoder = new HeaderDecoder(10_000_000);
  for (let length = 0; length < 400; length += 3) {
    const fields = [...first, "content-type", "application/grpc", `x-${"n".repeat(length)}`, "v".repeat(length * 50)];
    const bytes = encodeHeaders(fields);
    expect(decoder.decode(bytes, 0, bytes.length).fields).toEqual(fields);
  }
});
