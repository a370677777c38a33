// SPDX-License-Identifier: Apache-2.0
import { describe, test } from "vitest";
import { outcome } from "../../test/outcome.ts";
import {
  CtyError,
  dynamic,
  formatPath,
  goString,
  list,
  listOf,
  mark,
  nullOf,
  number,
  of,
  set,
  string,
  toJs,
  tuple,
  unknown,
  type Value,
} from "../index.ts";
import { argumentError, defineFunction, FunctionError, unpredictable, type FunctionSpec, type Parameter } from "./index.ts";

/** A function of one parameter that returns its argument in Go notation. */
function echo(parameter: Partial<Parameter>, spec: Partial<FunctionSpec> = {}): ReturnType<typeof defineFunction> {
  return defineFunction<readonly Parameter[]>({
    params: [{ name: "x", type: dynamic, ...parameter }],
    type: string,
    impl: (args) => of(string, `got ${args.map(goString).join()}`),
    ...spec,
  });
}

describe("arguments", () => {
  const plain = echo({});
  const rest = defineFunction({
    params: [{ name: "a", type: string }],
    varParam: { name: "b", type: number },
    type: number,
    impl: (args) => of(number, args.length),
  });

  test("must have the right number", ({ expect }) => {
    expect(outcome(plain)).toBe("FUNCTION: wrong number of arguments (1 required; 0 given)");
    expect(outcome(rest)).toBe("FUNCTION: wrong number of arguments (at least 1 required; 0 given)");
    expect(outcome(rest, of(string, "a"))).toBe("NumberIntVal(1)");
    expect(outcome(rest, of(string, "a"), of(number, 1), of(number, 2))).toBe("NumberIntVal(3)");
  });

  test("must be of the parameter's type", ({ expect }) => {
    expect(outcome(rest, of(number, 1))).toBe("CONFORMANCE of 0: string required, but received number");
    // As in go-cty, the second argument of the variadic parameter is reported as argument 1, although it is argument 2.
    expect(outcome(rest, of(string, "a"), of(number, 1), of(string, "b"))).toBe("CONFORMANCE of 1: number required, but received string");
    const nested = echo({ type: list(tuple(string, number)) });
    expect(outcome(nested, of(list(tuple(string, dynamic)), [["a", "b"]]))).toBe("CONFORMANCE of 0: number required, but received string");
    try {
      nested.call([of(list(tuple(string, string)), [["a", "b"]])]);
    } catch (error) {
      expect(error).toBeInstanceOf(CtyError);
      expect(formatPath((error as FunctionError).path)).toBe("[...][1]");
    }
  });

  test("may be null only if the parameter allows it", ({ expect }) => {
    expect(outcome(plain, nullOf(string))).toBe("FUNCTION of 0: argument must not be null");
    expect(outcome(rest, of(string, "a"), nullOf(number))).toBe("FUNCTION of 1: argument must not be null");
    expect(outcome(echo({ allowNull: true }), nullOf(string))).toBe('StringVal("got NullVal(String)")');
  });

  test("that are unknown make the result unknown unless the parameter allows them", ({ expect }) => {
    expect(outcome(plain, unknown(string))).toBe("UnknownVal(String)");
    expect(outcome(plain, listOf([unknown(string)]))).toBe('StringVal("got ListVal([]Value{UnknownVal(String)})")');
    expect(outcome(echo({ allowUnknown: true }), unknown(string))).toBe('StringVal("got UnknownVal(String)")');
  });

  test("of unknown type make the result's type unknown unless the parameter allows them", ({ expect }) => {
    const refined = { refineResult: { notNull: true } };
    expect(outcome(echo({ allowUnknown: true }, refined), unknown(dynamic))).toBe("DynamicVal");
    expect(outcome(echo({ allowDynamicType: true }, refined), unknown(dynamic))).toBe("UnknownVal(String).RefineNotNull()");
    expect(outcome(echo({ allowDynamicType: true, allowUnknown: true }), unknown(dynamic))).toBe('StringVal("got DynamicVal")');
  });

  test("lose their marks, which are put on the result", ({ expect }) => {
    const deep = listOf([mark(of(string, "a"), "inner")]);
    expect(outcome(plain, mark(deep, "outer"))).toBe(
      'StringVal("got ListVal([]Value{StringVal(\\"a\\")})").WithMarks(NewValueMarks("inner", "outer"))',
    );
    expect(outcome(plain, mark(unknown(string), "m"))).toBe('UnknownVal(String).Mark("m")');
    expect(outcome(echo({ allowMarked: true }), mark(of(string, "a"), "m"))).toBe('StringVal("got StringVal(\\"a\\").Mark(\\"m\\")")');
  });
});

describe("results", () => {
  test("are refined, both known and unknown ones", ({ expect }) => {
    const refined = echo({}, { refineResult: { notNull: true, prefix: "got-" }, impl: () => of(string, "got-it") });
    expect(outcome(refined, of(string, "a"))).toBe('StringVal("got-it")');
    expect(outcome(refined, unknown(string))).toBe('UnknownVal(String).Refine().NotNull().StringPrefixFull("got-").NewValue()');
    expect(outcome(echo({}, { refineResult: { notNull: true }, impl: () => nullOf(string) }), of(string, "a"))).toMatch(
      /^FUNCTION_FAULT: .*refining null value as non-null$/,
    );
  });

  test("must be of the declared type", ({ expect }) => {
    expect(outcome(echo({}, { impl: () => of(number, 1) }), of(string, "a"))).toBe(
      "FUNCTION_FAULT: returned value cty.NumberIntVal(1) does not conform to expected return type cty.String: string required, but received number",
    );
    expect(outcome(echo({}, { type: set(dynamic), impl: () => of(set(string), ["a"]) }), of(string, "a"))).toBe(
      'SetVal([]Value{StringVal("a")})',
    );
  });

  test("have a type that can be computed without the result", ({ expect }) => {
    const element = defineFunction({
      params: [{ name: "x", type: list(dynamic) }],
      type: ([x]) => (x.type as { element: typeof string }).element,
      impl: ([x]) => x,
    });
    expect(element.returnType([list(string)])).toBe(string);
    expect(element.returnTypeForValues([of(list(number), [])])).toBe(number);
    expect(element.returnType([dynamic])).toBe(dynamic);
    expect(() => element.returnType([string])).toThrow("list of dynamic required, but received string");
  });
});

describe("errors of an implementation", () => {
  const broken = (thrown: unknown): ReturnType<typeof defineFunction> =>
    echo(
      {},
      {
        impl: () => {
          throw thrown;
        },
      },
    );

  test("keep the argument that argumentError names", ({ expect }) => {
    expect(outcome(broken(argumentError(3, "no")), of(string, "a"))).toBe("FUNCTION of 3: no");
    const path = [{ kind: "attribute", name: "b" }] as const;
    const bad = new CtyError("CONVERSION", "a number is required", path);
    try {
      broken(argumentError(0, bad)).call([of(string, "a")]);
      expect.unreachable();
    } catch (error) {
      expect(error).toMatchObject({ name: "FunctionError", code: "CONVERSION", argument: 0, path, cause: bad });
    }
  });

  test("keep the code of a CtyError about data; all others become FUNCTION_FAULT", ({ expect }) => {
    expect(outcome(broken(new CtyError("CONVERSION", "a number is required")), of(string, "a"))).toBe("CONVERSION: a number is required");
    expect(outcome(broken(new CtyError("MISUSE", "not a list")), of(string, "a"))).toBe(
      "FUNCTION_FAULT: panic in function implementation: not a list",
    );
    const mistake = new RangeError("oops");
    try {
      broken(mistake).call([of(string, "a")]);
      expect.unreachable();
    } catch (error) {
      expect(error).toMatchObject({ code: "FUNCTION_FAULT", message: "panic in function implementation: oops", cause: mistake });
    }
    expect(outcome(echo({}, { type: () => broken(1) as never as typeof string, impl: () => of(string, "") }), of(string, "a"))).toMatch(
      /^FUNCTION_FAULT/,
    );
  });

  test("are recognised if another copy of the package threw them", ({ expect }) => {
    const foreign = Object.defineProperty(new Error("x"), Symbol.for("@tenon/cty/FunctionError"), { value: true });
    expect(foreign).toBeInstanceOf(FunctionError);
    expect(new CtyError("MISUSE", "x")).not.toBeInstanceOf(FunctionError);
  });
});

describe("copies of a function", () => {
  const original = defineFunction({
    description: "Old.",
    params: [{ name: "a", description: "Old a.", type: string }],
    varParam: { name: "rest", description: "Old rest.", type: string },
    type: number,
    impl: (args: readonly Value[]) => of(number, args.length),
  });

  test("have other descriptions and the same results", ({ expect }) => {
    const described = original.withNewDescriptions("New.", ["New a."]);
    expect([described.description, described.params[0]?.description, described.varParam?.description]).toEqual([
      "New.",
      "New a.",
      "Old rest.",
    ]);
    expect(original.withNewDescriptions("New.", ["New a.", "New rest."]).varParam?.description).toBe("New rest.");
    expect(toJs(described.call([of(string, "x")]))).toBe(1);
    expect(original.description).toBe("Old.");
    expect(() => original.withNewDescriptions("", [])).toThrow("parameters must have length either 2 or 1, not 0");
    expect(() => echo({}).withNewDescriptions("", ["a", "b"])).toThrow("parameters must have length 1, not 2");
  });

  test("that are unpredictable still check their arguments", ({ expect }) => {
    expect(outcome(unpredictable(original), of(string, "a"))).toBe("UnknownVal(Number)");
    expect(outcome(unpredictable(original), of(number, 1))).toBe("CONFORMANCE of 0: string required, but received number");
  });
});
