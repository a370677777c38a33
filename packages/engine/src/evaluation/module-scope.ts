// SPDX-License-Identifier: Apache-2.0
import { dynamic, nullOf, unknown, type Value } from "@tenon/cty";
import type { CtyFunction } from "@tenon/cty/function";
import { goQuote } from "@tenon/cty/unstable/payload";
import { hasErrors, type Body, type Diagnostic, type Expression } from "@tenon/hcl";
import { evaluate, type Evaluation, type Scope } from "@tenon/hcl/evaluate";
import type { Block } from "@tenon/schema";
import type { InstanceKey } from "../address/instance-key.ts";
import { childModule, formatInModule, formatInModulePath, formatModuleInstance, type ModuleInstance } from "../address/module.ts";
import { formatReferenceSubject, type Reference } from "../address/reference.ts";
import { isRemoteModule, type Configuration } from "../configuration/configuration.ts";
import { takeDeprecations } from "../configuration/deprecation.ts";
import { resourceBlock } from "../configuration/module.ts";
import type { ModuleCall } from "../configuration/module-call.ts";
import type { Output } from "../configuration/output.ts";
import { explainUnknownFunction } from "../configuration/unknown-function.ts";
import type { Variable } from "../configuration/variable.ts";
import { givenValue } from "../configuration/variable-values.ts";
import { expansionOf } from "../expansion/expansion.ts";
import { instancesOf, type Expansion } from "../expansion/repetition.ts";
import { withProviderCalls, type PendingCalls } from "../provider/provider-function.ts";
import { toleratingRejection, UpstreamError } from "./cell.ts";
import type { ConditionResult } from "./check-log.ts";
import { checkCondition, isComplete, type CompleteRule } from "./condition.ts";
import { decodeBody, type DecodeOptions, type ScopedEvaluation } from "./decode-body.ts";
import { moduleCallValue } from "./module-call-value.ts";
import { NamedCells } from "./named-cells.ts";
import { outputValue } from "./output-value.ts";
import { invalidReference, pathValue, repetitionValue, terraformValue } from "./predefined-values.ts";
import { selfReferences, undeclaredValue, validateReferences } from "./reference-validation.ts";
import { withLookedUp, type ReferenceScope } from "./reference-scope.ts";
import { referencesOf, referencesOfRule, type PlacedReference, type References } from "./references.ts";
import { RepeatedBody } from "./repeated-body.ts";
import type { RunContext } from "./run-context.ts";
import { noScopeData, type ScopeData } from "./scope-data.ts";
import { isSubstituted } from "./substitutions.ts";
import { checkValidation, finalVariableValue, variableDeprecation, type RawVariable } from "./variable-value.ts";

/** The instances of a module call. */
export interface ExpandedCall {
  readonly expansion: Expansion;
  readonly instances: ReadonlyMap<InstanceKey, ModuleScope>;
}

/** The module call of a module instance. */
interface Caller {
  readonly scope: ModuleScope;
  readonly call: ModuleCall;
  readonly data: ScopeData;
}

/**
 * One instance of a module during a run. It has a cell for each object to which its expressions can refer. A cell is computed once, when it
 * is first needed.
 *
 * The errors of a value are reported once, in the report of the run. Everything that needs the value rejects with `UpstreamError`.
 */
export class ModuleScope {
  readonly context: RunContext<ModuleScope>;
  readonly configuration: Configuration;
  readonly instance: ModuleInstance;
  readonly caller: Caller | undefined;
  readonly #variables = this.#cells<Value>((name) => `var.${name}`);
  readonly #locals = this.#cells<Value>((name) => `local.${name}`);
  readonly #outputs = this.#cells<Value>((name) => `output.${name}`);
  readonly #outputConditions = this.#cells<void>((name) => `output.${name}`);
  readonly #calls = this.#cells<ExpandedCall>((name) => `module.${name} (expand)`);
  readonly #repeated = new WeakMap<Body, RepeatedBody>();

  constructor(context: RunContext<ModuleScope>, configuration: Configuration, instance: ModuleInstance, caller?: Caller) {
    this.context = context;
    this.configuration = configuration;
    this.instance = instance;
    this.caller = caller;
  }

  /** The absolute address of an object of this module instance: `module.a.local.b` for `local.b`. */
  addressOf(local: string): string {
    return formatInModule(this.instance, local);
  }

  /** The value of a variable, with its marks. */
  variable(name: string): Promise<Value> {
    return this.#variables.get(name, () => this.#variable(this.configuration.module.variables.get(name)!));
  }

  /** The value of a local value. */
  local(name: string): Promise<Value> {
    return this.#locals.get(name, async () => {
      const { value, diagnostics } = await this.localEvaluation(name);
      return this.settleBlock(`local.${name}`, value, diagnostics);
    });
  }

  /** Evaluates the expression of a local value. Diagnostics are returned, not reported. */
  protected async localEvaluation(name: string): Promise<Evaluation> {
    const { expression } = this.configuration.module.locals.get(name)!;
    const own = selfReferences(name, expression);
    return own.length > 0 ? { value: unknown(dynamic), diagnostics: own } : this.evaluate(expression);
  }

  /** The value of an output, with its marks. */
  output(name: string): Promise<Value> {
    return this.#outputs.get(name, () => this.#output(this.configuration.module.outputs.get(name)!));
  }

  /** Checks the conditions of an output. Its value is not evaluated, nor what only the value refers to. */
  outputConditions(name: string): Promise<void> {
    return this.#outputConditions.get(name, () => this.#checkOutput(this.configuration.module.outputs.get(name)!));
  }

  /** The instances of a module call. */
  call(name: string): Promise<ExpandedCall> {
    return this.#calls.get(name, () => this.#expandCall(this.configuration.module.calls.get(name)!));
  }

  /** Evaluates an expression of this module. Diagnostics are returned, not reported. */
  async evaluate(expression: Expression, data: ScopeData = noScopeData): Promise<ScopedEvaluation> {
    const pending: PendingCalls = [];
    const { scope, diagnostics } = await this.scopeFor(referencesOf(expression), data, pending);
    if (hasErrors(diagnostics)) return { value: unknown(dynamic), diagnostics, scope };
    const evaluation = await withProviderCalls(pending, () => evaluate(expression, scope));
    const own = evaluation.diagnostics.map(explainUnknownFunction);
    const { value, diagnostics: deprecations } = takeDeprecations(evaluation.value, expression);
    return { value, diagnostics: [...diagnostics, ...own, ...deprecations], scope };
  }

  /**
   * Decodes a body by a provider's schema, including `dynamic` blocks. Diagnostics are returned, not reported.
   */
  decode(body: Body, schema: Block, data: ScopeData = noScopeData, options: DecodeOptions = {}): Promise<ScopedEvaluation> {
    const repeated = this.#repeatedBody(body, schema, data);
    return decodeBody(body, schema, {
      ...options,
      repeated,
      scopeFor: (references, pending) => this.scopeFor(references, data, pending),
    });
  }

  /** The body of a block with `count` or `for_each`, of which only the first instance evaluates what all instances have in common. */
  #repeatedBody(body: Body, schema: Block, { countIndex, eachKey }: ScopeData): RepeatedBody | undefined {
    if (countIndex === undefined && eachKey === undefined) return undefined;
    let repeated = this.#repeated.get(body);
    if (repeated === undefined) this.#repeated.set(body, (repeated = new RepeatedBody(body, schema)));
    return repeated.isFor(schema) ? repeated : undefined;
  }

  /**
   * The scope in which expressions with these references are evaluated.
   *
   * @param pending Receives the calls of provider functions for which an evaluation has to wait.
   * @throws UpstreamError if the value of a reference has errors.
   */
  scopeFor(references: References, data: ScopeData, pending: PendingCalls): Promise<ReferenceScope> | ReferenceScope {
    const { functions } = this.context;
    const invalid = this.#validate(references, data);
    const diagnostics: Diagnostic[] = [...references.diagnostics, ...invalid];
    if (hasErrors(invalid)) return { scope: { functions, variables: noVariables }, diagnostics };
    if (references.providerFunctions.length > 0) return this.#scopeWithCalls(references, data, pending, diagnostics);
    return this.#scopeOf(references, data, functions, diagnostics);
  }

  /** The scope for references of which some are functions of providers. */
  async #scopeWithCalls(
    references: References,
    data: ScopeData,
    pending: PendingCalls,
    diagnostics: Diagnostic[],
  ): Promise<ReferenceScope> {
    const called = await this.#providerFunctions(references, pending);
    return this.#scopeOf(references, data, new Map([...this.context.functions, ...called]), diagnostics);
  }

  #scopeOf(
    { references, places }: References,
    data: ScopeData,
    functions: ReadonlyMap<string, CtyFunction>,
    diagnostics: Diagnostic[],
  ): Promise<ReferenceScope> | ReferenceScope {
    if (references.length === 0) return { scope: { functions, variables: noVariables }, diagnostics };
    // All lookups start before the first one is awaited.
    const lookups = references.map((placed) => this.#lookUp(placed, data, diagnostics));
    return withLookedUp(lookups, (values) => ({
      scope: { functions, variables: noVariables, anchors: { places, values } },
      diagnostics,
    }));
  }

  /** Reports the diagnostics of a value, and returns the value. @throws UpstreamError if one of them is an error. */
  settle<T>(value: T, diagnostics: readonly Diagnostic[]): T {
    this.context.report.push(...diagnostics);
    if (hasErrors(diagnostics)) throw new UpstreamError(diagnostics);
    return value;
  }

  /** Reports the diagnostics of a block, named by its address in this module, as {@link settle} does. Its warnings are removed if the block is skipped. */
  settleBlock<T>(local: string, value: T, diagnostics: readonly Diagnostic[]): T {
    // Warnings beside errors may explain them.
    if (diagnostics.length > 0 && !hasErrors(diagnostics)) {
      this.context.faults.addWarnings(formatInModulePath(this.configuration.path, local), diagnostics);
    }
    return this.settle(value, diagnostics);
  }

  async #providerFunctions({ providerFunctions }: References, pending: PendingCalls): Promise<ReadonlyMap<string, CtyFunction>> {
    const entries = providerFunctions.map(
      async (reference) =>
        [formatReferenceSubject(reference.subject), await this.context.providerFunction(this, reference, pending)] as const,
    );
    return new Map(await Promise.all(entries));
  }

  /** The errors of references that the configuration alone shows. */
  #validate(references: References, { check, self, selfBlock }: ScopeData): readonly Diagnostic[] {
    const { configuration, context } = this;
    return validateReferences(references, { configuration, check, hasSelf: self !== undefined, selfBlock, schemaOf: context.schemaOf });
  }

  /**
   * The value that a reference leads to. Where there is none, adds an error and returns unknown.
   *
   * @throws UpstreamError if the value has errors.
   */
  lookUp(reference: Reference, diagnostics: Diagnostic[]): Promise<Value> | Value {
    return this.#lookUp({ reference }, noScopeData, diagnostics);
  }

  #lookUp({ reference }: Pick<PlacedReference, "reference">, data: ScopeData, diagnostics: Diagnostic[]): Promise<Value> | Value {
    const { subject } = reference;
    const undeclared = undeclaredValue(reference, this.configuration);
    if (undeclared !== undefined) {
      diagnostics.push(undeclared);
      return unknown(dynamic);
    }
    switch (subject.kind) {
      case "variable":
        return this.variable(subject.name);
      case "local":
        return this.local(subject.name);
      case "resource":
      case "resourceInstance": {
        if (this.isSubstituted) return unknown(dynamic);
        const block = resourceBlock(this.configuration.module, subject.resource)!;
        return toleratingRejection(this.context.resourceValue(this, block, subject.kind === "resource" ? undefined : subject.key));
      }
      case "moduleCall":
      case "moduleCallInstance":
        return toleratingRejection(this.callValue(subject.name));
      case "moduleOutput":
        return toleratingRejection(this.callValue(subject.call, subject.name));
      case "self":
        return data.self!;
      case "count":
      case "each":
        return repetitionValue(reference, subject, data, diagnostics);
      case "path":
        return pathValue(reference, subject.name, this.#folders(), diagnostics);
      case "terraform":
        return terraformValue(reference, subject, this.context, diagnostics);
      default:
        return invalidReference(
          diagnostics,
          reference,
          `Reference to ${goQuote(subject.kind)} in invalid context`,
          `The ${goQuote(subject.kind)} object can only be referenced from within a test file.`,
        );
    }
  }

  async #variable(variable: Variable): Promise<Value> {
    const address = this.addressOf(`var.${variable.name}`);
    const raw = await this.#rawVariable(variable);
    const own: Diagnostic[] = [];
    const value = finalVariableValue(variable, address, raw, own);
    this.settle(value, own);
    for (const rule of variable.validations) {
      if (!isComplete(rule)) continue;
      const { scope, diagnostics } = await this.validationScope(variable, value, rule);
      own.push(...diagnostics);
      if (hasErrors(diagnostics)) break;
      const result = checkValidation(variable, rule, scope, { expression: this.caller && raw.expression, address }, own);
      this.#addCheck(`var.${variable.name}`, result);
      // After an error, OpenTofu does not check further rules.
      if (hasErrors(own)) break;
    }
    own.push(...variableDeprecation(variable, this.caller && raw.expression, isRemoteModule(this.configuration)));
    return this.settleBlock(`var.${variable.name} (reference)`, value, own);
  }

  async #rawVariable(variable: Variable): Promise<RawVariable> {
    const { caller, context } = this;
    if (caller === undefined) {
      const given = context.variables.get(variable.name);
      if (given === undefined) return {};
      const { value, diagnostics } = givenValue(given, variable);
      const details = "kind" in given ? { origin: given.origin, ...(given.kind === "expression" && { expression: given.expression }) } : {};
      return { value: this.settle(value, diagnostics), ...details };
    }
    const attribute = caller.call.config.justAttributes().attributes.get(variable.name);
    if (attribute === undefined) return {};
    const { value, diagnostics } = await caller.scope.evaluate(attribute.expression, caller.data);
    return { value: this.settleBlock(`var.${variable.name}`, value, diagnostics), expression: attribute.expression };
  }

  /** The scope of a validation rule. In it, the variable has the given value, which is not validated yet. */
  async validationScope(
    variable: Variable,
    value: Value,
    { condition, errorMessage }: CompleteRule,
  ): Promise<{ readonly scope: Scope; readonly diagnostics: readonly Diagnostic[] }> {
    const { functions } = this.context;
    const references = referencesOfRule(condition, errorMessage);
    const values: Value[] = [];
    const diagnostics = [...references.diagnostics, ...this.#validate(references, noScopeData)];
    if (hasErrors(diagnostics)) return { scope: { functions, variables: noVariables }, diagnostics };
    for (const placed of references.references) {
      const { subject } = placed.reference;
      const isItself = subject.kind === "variable" && subject.name === variable.name;
      values.push(isItself ? value : await this.#lookUp(placed, noScopeData, diagnostics));
    }
    return { scope: { functions, variables: noVariables, anchors: { places: references.places, values } }, diagnostics };
  }

  async #checkOutput({ name, dependsOn, preconditions }: Output): Promise<void> {
    const { context } = this;
    const own: Diagnostic[] = [];
    await context.waitForDependsOn?.(this, dependsOn);
    for (const rule of preconditions) {
      if (!isComplete(rule)) continue;
      const scope = await this.conditionScope(rule.condition, rule.errorMessage, noScopeData);
      const severity = context.conditionsWarn ? "warning" : "error";
      const result = checkCondition("Module output value precondition", rule, scope, severity, this.addressOf(`output.${name}`), own);
      this.#addCheck(`output.${name}`, result);
    }
    this.settleBlock(`output.${name}`, undefined, own);
  }

  async #output(output: Output): Promise<Value> {
    const { context } = this;
    // The conditions are checked only if all that the output refers to is without errors.
    if (output.expression !== undefined && output.preconditions.length > 0) {
      await this.scopeFor(referencesOf(output.expression), noScopeData, []);
    }
    if (output.preconditions.length > 0 || output.dependsOn.length > 0) await this.outputConditions(output.name);
    if (output.expression === undefined) throw new UpstreamError();
    const substituted = context.substitutions?.outputsOf(this.configuration.path);
    if (substituted !== undefined) {
      const problems: Diagnostic[] = [];
      const result = outputValue(output, substituted.get(output.name) ?? nullOf(dynamic), this.caller === undefined, problems);
      return this.settle(result, problems);
    }
    const planned = this.caller === undefined ? context.plannedOutputs?.get(output.name) : undefined;
    if (planned !== undefined) {
      // What it refers to must be without errors all the same.
      await this.scopeFor(referencesOf(output.expression), noScopeData, []);
      return planned;
    }
    const { value, diagnostics } = await this.evaluate(output.expression);
    this.settleBlock(`output.${output.name}`, undefined, diagnostics);
    const problems: Diagnostic[] = [];
    const result = outputValue(output, value, this.caller === undefined, problems);
    return this.settle(result, problems);
  }

  /** The scope of a condition and its message. Errors of their references are reported. */
  async conditionScope(condition: Expression, message: Expression, data: ScopeData): Promise<Scope> {
    const { scope, diagnostics } = await this.unreportedConditionScope(condition, message, data);
    return this.settle(scope, diagnostics);
  }

  /** The scope of a condition and its message, even if their references have errors. Diagnostics are returned, not reported. */
  async unreportedConditionScope(
    condition: Expression,
    message: Expression,
    data: ScopeData,
  ): Promise<{ readonly scope: Scope; readonly diagnostics: readonly Diagnostic[] }> {
    const pending: PendingCalls = [];
    const result = await this.scopeFor(referencesOfRule(condition, message), data, pending);
    await withProviderCalls(pending, () => [condition, message].map((expression) => evaluate(expression, result.scope)));
    return result;
  }

  async #expandCall(call: ModuleCall): Promise<ExpandedCall> {
    const configuration = this.configuration.children.get(call.name);
    if (configuration === undefined) throw new UpstreamError();
    const problems: Diagnostic[] = [];
    const expansion = await expansionOf(
      call,
      {
        evaluate: (expression) => this.evaluate(expression),
        address: formatModuleInstance(childModule(this.instance, call.name)),
        allowUnknown: this.context.allowsUnknownRepetition,
      },
      problems,
    );
    this.settleBlock(`module.${call.name} (expand)`, undefined, problems);
    if (expansion === undefined) throw new UpstreamError();
    const instances = new Map<InstanceKey, ModuleScope>();
    for (const { key, data, isUnknown } of instancesOf(expansion)) {
      const instance = childModule(this.instance, call.name, key, isUnknown);
      instances.set(key, new ModuleScope(this.context, configuration, instance, { scope: this, call, data }));
    }
    return { expansion, instances };
  }

  /** The value of a module call. `only` names the single output to evaluate. Default: all. */
  protected async callValue(name: string, only?: string): Promise<Value> {
    return moduleCallValue(await this.call(name), this.configuration.children.get(name)!.module.outputs, only);
  }

  /** The values of `path`. */
  #folders(): { readonly cwd: string; readonly module: string; readonly root: string } {
    return {
      cwd: this.context.workingFolder,
      module: this.configuration.module.folder,
      root: this.root.configuration.module.folder,
    };
  }

  /** Whether the resources of the module do not take part, because its outputs are substituted. */
  get isSubstituted(): boolean {
    return isSubstituted(this.context.substitutions, this.configuration.path);
  }

  /** The root module. */
  get root(): ModuleScope {
    return this.caller?.scope.root ?? this;
  }

  /** Cells of one kind of block. `addressOf` returns the address of a block inside its module, under which the run records its errors. */
  #cells<T>(addressOf: (name: string) => string): NamedCells<T> {
    return new NamedCells((name, error) => this.context.faults.add(formatInModulePath(this.configuration.path, addressOf(name)), error));
  }

  /** Whether it stands for several module instances, because the keys of a module call are not known yet. */
  get isUnknown(): boolean {
    return this.instance.some((step) => step.isUnknown === true);
  }

  /** Adds the result of a condition of a variable or an output. An object whose module instance is unknown has no result. */
  #addCheck(local: string, result: ConditionResult): void {
    if (!this.isUnknown) this.context.checks.add(formatInModulePath(this.configuration.path, local), this.addressOf(local), result);
  }
}

const noVariables: ReadonlyMap<string, Value> = new Map();
