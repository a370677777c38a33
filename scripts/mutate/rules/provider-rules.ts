// SPDX-License-Identifier: Apache-2.0
// Mutations of rules 6 to 48, which a provider's server must follow. The file is long because it is a table.
import { mutationsOf, type Mutation } from "../mutation.ts";

const sdk = "packages/provider-sdk/src";
const tests = "packages/provider-sdk/test/rules";
const definition = `${tests}/definition.test.ts`;
const validation = `${tests}/validation.test.ts`;
const plan = `${tests}/plan.test.ts`;
const state = `${tests}/state.test.ts`;
const others = `${tests}/other-components.test.ts`;
const every = `${tests}/every-response.test.ts`;

const definitionRules: readonly Mutation[] = [
  ...mutationsOf(`${sdk}/server/provider/get-provider-schema.ts`, definition, [[6, "a < b ? -1 : 1", "a < b ? 1 : -1"]]),
  ...mutationsOf(`${sdk}/compile/names.ts`, definition, [
    [7, "/^[a-z_][a-z0-9_]*$/", "/^[A-Za-z_][a-z0-9_]*$/"],
    [7, 'const meta = ["count", ', "const meta = ["],
    [7, "if (atRoot && reserved", "if (reserved"],
    [7, 'new Set(["alias", "version"])', 'new Set(["alias"])'],
  ]),
  ...mutationsOf(`${sdk}/compile/flag-faults.ts`, definition, [
    [8, "if (required && hasDefault)", "if (false)"],
    [8, "if (writeOnly && where.refusesWriteOnly !== undefined)", "if (false)"],
    [8, "if (!writeOnly && where.demandsWriteOnly)", "if (false)"],
    [8, "if (!required && !optional && !computed)", "if (false)"],
    [8, "if (writeOnly && options.computed === true)", "if (false)"],
    [8, "if (required && options.optional === true)", "if (false)"],
    [9, "if (required && options.computed === true)", "if (false)"],
  ]),
  ...mutationsOf(`${sdk}/compile/value-shape.ts`, definition, [
    [8, 'if (kind === "dynamic" && inCollection)', "if (false)"],
    [8, 'if (members.length === 0) faults.add(path, "an object type must have members");', ""],
  ]),
  ...mutationsOf(`${sdk}/compile/block-shape.ts`, definition, [
    [8, "for (const problem of problems) faults.add(where.path, `the default: ${problemText(problem)}`);", ""],
    [8, '...(nesting === "set" ? { refusesWriteOnly: "a set" } : {}),', ""],
    [9, "if (!repeats && (min !== 0 || max !== 0))", "if (false)"],
    [9, "options.max < 1 || options.max < min", "options.max < 1"],
    [9, 'minItems: nesting === "single" ? Number(required) : min,', "minItems: min,"],
    [9, 'inCollection: where.inCollection || (nesting !== "single"', 'inCollection: (nesting !== "single"'],
  ]),
  ...mutationsOf(`${sdk}/compile/function.ts`, definition, [
    [8, "if (variadic !== undefined && parameters.some(", "if (false && parameters.some("],
    [8, "if (!isWrittenType(written.returns)) faults", "if (false) faults"],
  ]),
  ...mutationsOf(`${sdk}/compile/identity.ts`, definition, [[8, "    if (!known)\n", "    if (false)\n"]]),
];

const validationRules: readonly Mutation[] = [
  ...mutationsOf(`${sdk}/validation/config-validation.ts`, validation, [
    [10, "for (const blocks of [false, true]) {", "for (const blocks of [true, false]) {"],
    [11, "if (!entry.configurable) {", "if (false) {"],
    [11, "if (!entry.required) return false;", "return false;"],
    [11, "if (entry.writeOnly && !validation.writeOnlyAllowed) {", "if (false) {"],
    [11, "if (isUnknownPayload(value.payload)) return hasReadOnlyValue;", ""],
    [11, "if (isWhollyKnown(value)) runValidators(entry", "runValidators(entry"],
  ]),
  ...mutationsOf(`${sdk}/validation/value-validation.ts`, validation, [
    [11, "for (const validator of validators) {", "for (const validator of validators.slice(0, 1)) {"],
  ]),
  ...mutationsOf(`${sdk}/server/call/validate-config.ts`, validation, [
    [10, "if (validate === undefined || hasFailed(call)) return undefined;", "if (validate === undefined) return undefined;"],
    [10, "if (deprecated !== undefined) call", "if (false) call"],
  ]),
  ...mutationsOf(`${sdk}/server/provider/validate-provider-config.ts`, validation, [
    [12, "validate: provider.validate", "validate: undefined"],
  ]),
];

const wireRules: readonly Mutation[] = [
  ...mutationsOf("packages/schema/src/wire/v5/index.ts", "packages/schema/src/wire/service.test.ts", [
    [12, "if (config !== undefined) (response as", "if (false) (response as", "returns the validated configuration"],
  ]),
];

const planRules: readonly Mutation[] = [
  ...mutationsOf(`${sdk}/server/resource/plan-resource-change.ts`, plan, [
    [14, "plannedPrivate: bytes instanceof Promise ? await bytes : bytes,", "plannedPrivate: new Uint8Array(0),"],
    [
      17,
      "const markUnknown = !exists || !isSame(plannedState(shape, parts, { markUnknown: false }), priorState);",
      "const markUnknown = true;",
    ],
    [20, "...(identity === undefined ? {} : { plannedIdentity: identity }),", ""],
    [21, "(pathText(a) < pathText(b) ? -1 : 1)", "(pathText(a) < pathText(b) ? 1 : -1)"],
  ]),
  ...mutationsOf(`${sdk}/server/resource/unfinished-plan.ts`, plan, [
    [13, 'configuration.kind === "deferred" && capabilities', "false && capabilities"],
    [14, "priorIdentity === undefined ? {} :", "priorIdentity !== undefined ? {} :"],
  ]),
  ...mutationsOf(`${sdk}/server/resource/plan-handler.ts`, plan, [
    [19, "if (hasContent(parts.prior)) addPath(requiresReplace, pathOf(shape, attribute));", ""],
  ]),
  ...mutationsOf(`${sdk}/server/resource/plan-destroy.ts`, plan, [
    [19, "await runHandler(call, `Cannot destroy ${typeName}`", "if (false) await runHandler(call, `Cannot destroy ${typeName}`"],
    [22, "plannedState: valueOf(shape.type, null) };", "plannedState: request.priorState };"],
  ]),
  ...mutationsOf(`${sdk}/server/resource/resource-identity.ts`, plan, [[20, "&& !identity!.mutable &&", "&&"]]),
  ...mutationsOf(`${sdk}/planning/planned-state.ts`, plan, [
    [15, "if (entry.default !== undefined) return entry.default;", ""],
    [
      15,
      'if (entry.kind !== "block" && parts.config.payload === null) {',
      'if (entry.default !== undefined) return entry.default; if (entry.kind !== "block" && parts.config.payload === null) {',
    ],
    [16, "if (entry.writeOnly) return valueOf(type, null);", ""],
    [17, "if (entry.computed && options.markUnknown) return", "if (options.markUnknown) return"],
    [18, "prior[before?.[index] ?? index] ?? noPrior", "prior[0] ?? noPrior"],
    [24, "if (elementKey === undefined) return undefined;", "return undefined;"],
    [24, "if (at >= 0) taken.add(at);\n    return at;", "return -1;"],
    [24, "if (isUnknownPayload(key)) isUncertain = true;\n    if (isUncertain) return -1;", "if (isUnknownPayload(key)) return -1;"],
    [24, "const fromPlanned = matchElements(body, config, planned);", "const fromPlanned = config.map((_, index) => index);"],
    [24, "const fromPrior = matchElements(body, config, prior);", "const fromPrior = config.map(() => -1);"],
  ]),
  ...mutationsOf(`${sdk}/planning/set-element-matching.ts`, plan, [
    [24, "if (config === null) return entry.computed || value === null;", "if (config === null) return value === null;"],
  ]),
  ...mutationsOf(`${sdk}/planning/plan-modification.ts`, plan, [
    [18, 'const seen = decodeEntry(entry, planned, "draft").value;', 'const seen = decodeEntry(entry, part.planned, "draft").value;'],
    [18, "failed`, error);\n      modification.diagnostics.push(", "failed`, error);\n      ([] as unknown[]).push("],
    [21, "if (!paths.some((known) => pathEquals(known, path))) paths", "paths"],
    [23, "isChanged(entry, part.prior, planned)) addPath", "true) addPath"],
    [23, 'replace && occasion.operation === "update" &&', "replace &&"],
  ]),
  ...mutationsOf(`${sdk}/plan-modifiers/use-state-for-unknown.ts`, plan, [
    [23, "(!isNew && isUnknown(planned) && !isUnknown(config) ? state", "(!isNew && isUnknown(planned) ? state"],
    [23, "(!isNew && state !== null && isUnknown(planned)", "(!isNew && isUnknown(planned)"],
  ]),
  ...mutationsOf(`${sdk}/plan-modifiers/requires-replace.ts`, plan, [
    [23, "({ config }) => config !== null", "() => true"],
    [23, "&& condition(change)", ""],
  ]),
];

const stateRules: readonly Mutation[] = [
  ...mutationsOf(`${sdk}/server/resource/apply-resource-change.ts`, state, [
    [25, '(hasContent(plannedState) ? "update" : "delete")', '(hasContent(plannedState) ? "create" : "delete")'],
    [26, "if (hasFailed(call)) return { ...unapplied(request), private: await privateState.bytes() };", ""],
    [
      26,
      "return { newState: valueOf(shape.type, null), private: new Uint8Array(0) };",
      "return { newState: valueOf(shape.type, null), private: request.plannedPrivate };",
    ],
    [
      27,
      "if (!outcome.ok) return { ...kept, newState: saved ?? request.priorState,",
      "if (!outcome.ok) return { ...kept, newState: request.priorState,",
    ],
    [26, "if (!hasFailed(call)) call.diagnostics.push(missingState(operation, typeName));", ""],
    [27, "const kept = { ...unapplied(request), private: await privateState.bytes() };", "const kept = unapplied(request);"],
    [28, "...identity.ofState(newState, `${operation} of ${typeName}`),", ""],
    [29, "newState: keepEquivalent(shape, request.plannedState, newState),", "newState,"],
  ]),
  ...mutationsOf(`${sdk}/server/resource/resource-identity.ts`, state, [
    [28, "!entry.shape.nullable && partOf(value, entry).payload === null", "false"],
    [30, "(before.payload === null && !isWhole) || isSame", "isSame"],
    [30, "(before.payload === null && !isWhole) || isSame", "true || isSame"],
  ]),
  ...mutationsOf(`${sdk}/conversion/encode.ts`, state, [[29, "if (entry.writeOnly) return valueOf(entry.shape.type, null);", ""]]),
  ...mutationsOf(`${sdk}/server/resource/read-resource.ts`, state, [
    [
      30,
      "if (!outcome.ok) return unread(request);",
      "if (!outcome.ok) return { ...unread(request), newState: valueOf(shape.type, null) };",
    ],
    [30, "newState: keepEquivalent(shape, request.currentState, newState)", "newState"],
    [30, "if (deferral !== undefined) return { ...unread(request), deferred: deferral };", ""],
  ]),
  ...mutationsOf(`${sdk}/server/data-source/read-data-source.ts`, state, [
    [31, "{ state: keepEquivalent(shape, request.config, state) }", "{ state }"],
    [31, "if (deferral !== undefined) return { state: valueOf(shape.type, UNKNOWN), deferred: deferral };", ""],
  ]),
  ...mutationsOf(`${sdk}/server/resource/import-resource-state.ts`, state, [
    [32, "return new Map(known.map((entry)", "return new Map([].map((entry: (typeof known)[number])"],
    [32, "private: noPrivateState, ...identityOf(request) }], deferred };", "private: noPrivateState, ...identityOf(request) }] };"],
    [32, 'if (importState === undefined) return "This resource', 'if (false) return "This resource'],
    [32, "outcome.value === undefined || outcome.value === null", "false"],
  ]),
  ...mutationsOf(`${sdk}/server/resource/move-resource-state.ts`, state, [
    [33, "if (outcome.value === undefined || outcome.value === null) return refuse", "if (false) return refuse"],
    [33, "const targetPrivate = await privateState.bytes();", "const targetPrivate = noMove.targetPrivate;"],
    [33, "if (moveState === undefined)\n      return refuse", "if (false) return refuse"],
    [33, "sourcePrivate: request.sourcePrivate,", "sourcePrivate: noMove.targetPrivate,"],
  ]),
  ...mutationsOf(`${sdk}/server/resource/upgrade-resource-state.ts`, state, [
    [34, "return version === resource.version ? sameVersion(resource, recorded.json, call) : upgrade(", "return upgrade("],
    [35, "for (let at = from; at < version; at++) {", "for (let at = from; at <= from; at++) {"],
    [35, "if (upgrader === undefined) {", "if (false) {"],
    [36, "if (raw.flatmap !== undefined)", "if (false)"],
  ]),
  ...mutationsOf(`${sdk}/compile/upgraders.ts`, state, [[35, "if (!from.includes(one))", "if (false)"]]),
  ...mutationsOf(`${sdk}/conversion/recorded-json.ts`, state, [
    [34, "if (member === undefined || member === null) return emptyEntry(entry);", ""],
    [37, 'if (text === "true" || text === "1")', 'if (text === "true")'],
    [37, 'typeof parsed === "string" || typeof parsed === "number" ||', 'typeof parsed === "string" ||'],
    [37, 'shape.kind === "set" ? setPayload(shape.element.type, elements) : elements', "elements"],
  ]),
  ...mutationsOf(`${sdk}/server/resource/upgrade-resource-identity.ts`, state, [
    [38, "for (let at = from; at < protocol.version; at++) {", "for (let at = from; at <= from; at++) {"],
    [38, "if (version > current) return refuse", "if (false) return refuse"],
  ]),
];

const otherComponents: readonly Mutation[] = [
  ...mutationsOf(`${sdk}/server/function/call-function.ts`, others, [
    [39, "if (count < parameters.length)", "if (false)"],
    [39, 'if (typeof argument === "number") return parameters.length + argument;', 'if (typeof argument === "number") return argument;'],
    [39, "if (!parameter.allowUnknown && !isWhollyKnown(value)) return", "if (false) return"],
    [39, 'text: errors.map(({ text }) => text).join("\\n")', "text: errors[0]!.text"],
  ]),
  ...mutationsOf(`${sdk}/server/ephemeral-resource/open-ephemeral-resource.ts`, others, [
    [40, "{ result, private: stored, ...(renewAt === undefined ? {} : { renewAt }) }", "{ result, private: stored }"],
    [40, "if (deferral !== undefined) return { result: valueOf(shape.type, UNKNOWN), deferred: deferral };", ""],
  ]),
  ...mutationsOf(`${sdk}/server/ephemeral-resource/renew-ephemeral-resource.ts`, others, [
    [40, "return { private: await privateState.bytes(),", "return { private: request.private!,"],
    [40, "if (renew === undefined) {", "if (renew === undefined) return {}; if (renew === undefined) {"],
  ]),
  ...mutationsOf(`${sdk}/server/ephemeral-resource/close-ephemeral-resource.ts`, others, [
    [40, "if (close === undefined) return;", "if (close === undefined) throw new Error();"],
  ]),
  ...mutationsOf(`${sdk}/server/list-resource/list-resource.ts`, others, [
    [41, "if (++count === limit) break;", ""],
    [41, "for (const problem of problems) {", "for (const problem of problems.slice(1)) {"],
    [41, "if (withResource && object === undefined) {", "if (false) {"],
  ]),
  ...mutationsOf(`${sdk}/server/action/invoke-action.ts`, others, [
    [42, 'yield { kind: "completed", diagnostics: drainDiagnostics(call) };', 'yield { kind: "completed", diagnostics: [] };'],
    [42, ".finally(() => queue.end())", '.finally(() => (queue.push({ kind: "completed", diagnostics: [] }), queue.end()))'],
  ]),
  ...mutationsOf(`${sdk}/server/action/plan-action.ts`, others, [
    [42, "return deferral === undefined ? {} : { deferred: deferral };", "return {};"],
  ]),
  ...mutationsOf("packages/schema/src/messages/state-chunks.ts", others, [
    [43, "bytes.length < chunkSize && received < totalLength", "false"],
    [43, "if (received < totalLength) return", "if (false) return"],
    [43, "bytes.length > chunkSize ||", ""],
    [43, "if (totalLength === undefined) return", "if (false) return"],
    [43, "end: start + bytes.length - 1 };", "end: start + bytes.length };"],
  ]),
  ...mutationsOf(`${sdk}/server/state-store/state-store-call.ts`, others, [
    [43, "if (open === undefined) {", "if (open === undefined) return undefined; if (open === undefined) {"],
  ]),
  ...mutationsOf(`${sdk}/server/resource/generate-resource-config.ts`, others, [
    [44, "if (!entry.configurable || entry.deprecated !== undefined", "if (!entry.configurable || false"],
    [44, "if (!entry.configurable ||", "if ("],
    [44, "if (atRoot && entry.name", "if (entry.name"],
    [44, 'return entry.optional && part.payload === "";', "return false;"],
  ]),
];

const everyResponse: readonly Mutation[] = [
  ...mutationsOf(`${sdk}/server/call/deferral.ts`, every, [[45, "if (capabilities?.deferralAllowed !== true) {", "if (false) {"]]),
  ...mutationsOf(`${sdk}/server/resource/plan-destroy.ts`, every, [
    [45, "await privateState.bytes(), ...deferredPlan(instance, deferral, request.clientCapabilities) };", "await privateState.bytes() };"],
  ]),
  ...mutationsOf(`${sdk}/private-state/private-data.ts`, every, [
    [46, "if (data.size === 0) return new Uint8Array(0);", ""],
    [46, 'Buffer.from(text).toString("base64")', "text"],
  ]),
  ...mutationsOf(`${sdk}/private-state/open-private-state.ts`, every, [
    [46, 'if (name === "" || name.startsWith("."))', 'if (name === "")'],
    [46, "  if (plain === undefined) {\n    diagnostics.push(", "  if (plain === undefined) {\n    ([] as unknown[]).push("],
  ]),
  ...mutationsOf(`${sdk}/server/call/server-call.ts`, every, [[47, "if (!kept.some((other) => isEqual(other, hidden))) kept", "kept"]]),
  ...mutationsOf(`${sdk}/server/call/handler-values.ts`, every, [[47, 'if (at?.kind === "set") break;', ""]]),
  ...mutationsOf("packages/schema/src/wire/kind/path.ts", "packages/schema/src/wire/service.test.ts", [
    [47, 'type?.kind === "set" ? undefined : selectorOf(step)', "selectorOf(step)", "paths"],
  ]),
  ...mutationsOf(`${sdk}/planning/equivalence.ts`, every, [
    [48, "if (isEquivalent(entry, before, returned)) return before;", ""],
    [48, "returned).map((one, index) => element(old[index], one)),", "returned).map((one) => element(old[1], one)),"],
    [48, "element(old.get(key), one)", 'element(old.get("other"), one)'],
    [48, "return agreesWhereKnown(body, old, kept) ? kept : undefined;", "return undefined;"],
    [48, "if (!hasContent(a) || !hasContent(b) ||", "if (!hasContent(b) ||"],
    [48, "return equivalent(one, other);\n  }\n  switch", "return false;\n  }\n  switch"],
  ]),
];

export const providerRules: readonly Mutation[] = [
  ...definitionRules,
  ...validationRules,
  ...wireRules,
  ...planRules,
  ...stateRules,
  ...otherComponents,
  ...everyResponse,
];
