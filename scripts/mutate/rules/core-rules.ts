// SPDX-License-Identifier: Apache-2.0
// Mutations of rules 49 to 57, which the cores enforce.
import { mutationsOf, type Mutation } from "../mutation.ts";

const change = "packages/schema/src/change";
const lifecycle = "packages/schema/src/lifecycle";
const test = "packages/schema/test/rules/core-rules.test.ts";

export const coreRules: readonly Mutation[] = [
  ...mutationsOf(`${change}/proposed-new.ts`, test, [
    [49, "if (attribute.computed && config.payload === null) {", "if (false) {"],
    [49, "unused.splice(match, 1)[0]!", "unused[match]!"],
    [49, "someIsOnlyConfigured(attribute.nested, prior) ? config : prior", "someIsOnlyConfigured(attribute.nested, prior) ? prior : prior"],
    [49, "return { step, value: before ? merge(before, value) : value };", "return { step, value };"],
  ]),
  ...mutationsOf(`${change}/plan-valid.ts`, test, [
    [50, "if (prior.payload !== null && config.payload !== null && sameButRefinements(planned, prior)) return;", ""],
    [50, "return computed && (!optional || config.payload === null);", "return computed;"],
    [50, "if (attribute.writeOnly && planned.payload === null) return;", ""],
    [50, "if (countOf(planned) !== countOf(config)) {", "if (false) {"],
    [50, "if (planned.payload === null && config.payload !== null)", "if (false)"],
  ]),
  ...mutationsOf(`${lifecycle}/plan-change.ts`, test, [
    [51, '...objectFaults(type, "Provider produced invalid plan", response.plannedState, "planned", addressOf(type, options)),', ""],
    [51, '...(response.plannedState.type.kind === "object" ? writeOnlyFaults(type, response.plannedState) : []),', ""],
    [52, "config, private: response.plannedPrivate },", "config, private: undefined },"],
    [52, '{ phase: "planReplacement", before: nothing,', '{ phase: "planReplacement", before,'],
  ]),
  ...mutationsOf(`${lifecycle}/plan-destroy.ts`, test, [[51, "if (response.plannedState.payload !== null) {", "if (false) {"]]),
  ...mutationsOf(`${change}/requires-replace.ts`, test, [
    [52, "if (equal !== true || attributeAt(block, path)?.writeOnly) paths", "paths"],
    [52, "|| attributeAt(block, path)?.writeOnly", ""],
    [52, "if (prior.payload === null) return { paths: [], violations: [] };", ""],
  ]),
  ...mutationsOf(`${lifecycle}/replan-change.ts`, test, [
    [53, "again.planned.after, options.markSensitive)) {", "planned.after, options.markSensitive)) {"],
  ]),
  ...mutationsOf(`${lifecycle}/apply-change.ts`, test, [
    [54, 'status: failed && action === "create" ? "tainted" :', "status:"],
    [54, "return failed ? prior : undefined;", "return undefined;"],
  ]),
  ...mutationsOf(`${lifecycle}/applied-value.ts`, test, [
    [54, "if (faults.length > 0) return", "if (false) return"],
    [54, "if (!isWhollyKnown(value)) {", "if (false) {"],
    [54, 'if (planned.action !== "delete" && !hasErrors(diagnostics)) diagnostics', "if (false) diagnostics"],
    [54, "if (!hasErrors(diagnostics)) diagnostics.push(...existenceFaults", "if (false) diagnostics.push(...existenceFaults"],
  ]),
  ...mutationsOf(`${change}/value-compatible.ts`, test, [
    [55, "return same(planned, actual) ? [] :", "return true ? [] :"],
    [55, "return rangeIncludes(range(planned), actual) !== false", "return true"],
  ]),
  ...mutationsOf(`${change}/object-compatible.ts`, test, [
    [55, "if (!byKey && countOf(planned) !== countOf(actual)) {", "if (false) {"],
    [55, "if (attribute.sensitive || plannedMarks.size > 0 || actualMarks.size > 0) {", "if (false) {"],
  ]),
  ...mutationsOf(`${change}/uncorrelated-elements.ts`, test, [[55, ".filter((element) => !matched.has(element))", ".filter(() => false)"]]),
  ...mutationsOf(`${lifecycle}/read-object.ts`, test, [
    [
      56,
      '...objectFaults(type, "Provider produced invalid object", response.newState, "produced during refresh", addressOf(type, options)),',
      "",
    ],
    [56, "if (!same(object.value, value)) {", "if (false) {"],
  ]),
  ...mutationsOf(`${lifecycle}/read-data-source.ts`, test, [
    [56, "if (isWhollyKnown(value)) return [];", "return [];"],
    [56, "if (value.payload === null) return [providerFault", "if (false) return [providerFault"],
  ]),
  ...mutationsOf(`${lifecycle}/import-object.ts`, test, [
    [56, "if (resources.length > 1) {", "if (false) {"],
    [56, "if (imported.typeName !== type.typeName) {", "if (false) {"],
    [56, "if (imported.state.payload === null) {", "if (false) {"],
  ]),
  ...mutationsOf(`${lifecycle}/upgrade-object.ts`, test, [
    [56, "if (stored.schemaVersion > version) return", "if (false) return"],
    [56, "if (identitySchemaVersion > identitySchema.version) {", "if (false) {"],
  ]),
  ...mutationsOf(`${lifecycle}/applied-value.ts`, test, [[57, "if (response.legacyTypeSystem) {", "if (false) {"]]),
];
