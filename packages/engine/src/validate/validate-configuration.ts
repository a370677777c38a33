// SPDX-License-Identifier: Apache-2.0
import { dynamic, number, of, string, unknown, unmarkDeep, type Value } from "@tenon/cty";
import { CtyFunction } from "@tenon/cty/function";
import { hasErrors, type Diagnostic } from "@tenon/hcl";
import { formatProviderConfigInstance, type ProviderConfig } from "../address/provider-config.ts";
import { formatReferenceSubject, type Reference } from "../address/reference.ts";
import type { Block } from "@tenon/schema";
import { formatInModulePath } from "../address/module.ts";
import { descendant, isRemoteModule, type Configuration } from "../configuration/configuration.ts";
import { reportDiscardedAttributes } from "../configuration/discarded-attributes.ts";
import { providerRequirements } from "../configuration/provider-requirements.ts";
import { reportAll, type Report } from "../configuration/report.ts";
import type { ResourceBlock } from "../configuration/resource.ts";
import type { GivenVariable } from "../configuration/variable-values.ts";
import { CheckLog } from "../evaluation/check-log.ts";
import { isComplete } from "../evaluation/condition.ts";
import { DependencyGraph } from "../evaluation/dependency-graph.ts";
import type { DependencyNode } from "../evaluation/dependency-node.ts";
import { providerBlockOf } from "../provider/provider-resolution.ts";
import { FaultLog } from "../evaluation/fault-log.ts";
import type { ModuleScope } from "../evaluation/module-scope.ts";
import type { RunContext } from "../evaluation/run-context.ts";
import { noScopeData, type ScopeData } from "../evaluation/scope-data.ts";
import { isSubstituted, type Substitutions } from "../evaluation/substitutions.ts";
import { checkValidation, finalVariableValue, variableDeprecation } from "../evaluation/variable-value.ts";
import type { FunctionEnvironment } from "../functions/environment.ts";
import { createFunctionTable } from "../functions/table.ts";
import { locateDiagnostics, type AddressedDiagnostic } from "../provider/provider-diagnostic.ts";
import { ProviderFunctionCalls, type PendingCalls } from "../provider/provider-function.ts";
import type { ProviderPool } from "../provider/provider-pool.ts";
import { ProviderSchemas } from "../provider/provider-schemas.ts";
import { emptyState } from "../state/state.ts";
import { argumentsOfCalls, missingProviderConfigurations, missingProvisioners, reportMissingProviders } from "./missing-parts.ts";
import { unknownResourceValue } from "./resource-value.ts";
import { validateCall, validateCheck, validateOutput } from "./validate-block.ts";
import { validateResource } from "./validate-resource.ts";
import { ValidationScope } from "./validation-scope.ts";

/** Placeholder for a function that a provider offers only after it is configured. */
const unknownFunction: CtyFunction = new CtyFunction({
  description: "",
  params: [],
  varParam: { name: "", description: "", type: dynamic, allowNull: true, allowUnknown: true, allowDynamicType: true },
  type: dynamic,
  impl: () => unknown(dynamic),
});

/** The input of {@link validateConfiguration}. */
export interface ValidationInput {
  readonly configuration: Configuration;
  readonly pool: ProviderPool;
  readonly workspace: string;
  readonly workingFolder: string;
  readonly environment: FunctionEnvironment;
  /** Whether to report required providers that the pool does not have. Otherwise the pool throws an error for the first one that is needed. */
  readonly reportsMissingProviders: boolean;
  /** What takes the place of providers and modules. Default: nothing. */
  readonly substitutions?: Substitutions | undefined;
}

/**
 * Finds the errors of a configuration that do not depend on the values of its variables or on its state. Each block is validated once for
 * all its instances. A block that refers to a faulty one is not validated.
 *
 * @see OpenTofu context_validate.go
 */
export async function validateConfiguration(input: ValidationInput): Promise<readonly AddressedDiagnostic[]> {
  const { configuration, pool } = input;
  const report: Report = [];
  const { requirements, diagnostics } = providerRequirements(configuration);
  report.push(...diagnostics);
  if (hasErrors(report)) return report;
  if (input.reportsMissingProviders) reportMissingProviders([...requirements.values()], pool, report);
  report.push(...missingProvisioners(configuration));
  if (hasErrors(report)) return report;
  report.push(...argumentsOfCalls(configuration));
  const schemas = await ProviderSchemas.load(pool, configuration, emptyState);
  report.push(...schemas.diagnostics);
  if (hasErrors(report)) return report;
  const graph = new DependencyGraph(configuration, {
    resource: ({ provider, address }) => provider && schemas.resource(provider, address)?.block,
    provider: ({ provider }) => schemas.configuration(provider),
  });
  report.push(...missingProviderConfigurations(configuration), ...graph.unknownFunctionProviders);
  if (hasErrors(report)) return report;
  report.push(...graph.cycleErrors());
  if (hasErrors(report)) return report;
  return [...report, ...(await new ValidationWalk(input, schemas).run(graph))];
}

/** The validation of all blocks, each after those that it refers to. */
class ValidationWalk implements RunContext<ModuleScope> {
  readonly functions: ReadonlyMap<string, CtyFunction>;
  readonly workspace: string;
  readonly workingFolder: string;
  readonly isApplying = false;
  readonly conditionsWarn = false;
  readonly variables: ReadonlyMap<string, GivenVariable> = new Map();
  readonly report: Report = [];
  readonly faults: FaultLog = new FaultLog();
  readonly checks: CheckLog = new CheckLog();
  readonly #root: Configuration;
  readonly #pool: ProviderPool;
  readonly #schemas: ProviderSchemas;
  readonly #scopes = new Map<Configuration, ValidationScope>();
  readonly #functionCalls = new ProviderFunctionCalls();
  readonly substitutions: Substitutions | undefined;
  /** Values of variables in their calls, before the validation rules. */
  readonly #variableValues = new Map<string, Value>();

  constructor(input: ValidationInput, schemas: ProviderSchemas) {
    const { configuration, pool, workspace, workingFolder, environment } = input;
    this.substitutions = input.substitutions;
    this.functions = createFunctionTable(environment, { pureOnly: true });
    this.workspace = workspace;
    this.workingFolder = workingFolder;
    this.#root = configuration;
    this.#pool = pool;
    this.#schemas = schemas;
  }

  /** Validates all blocks. Returns the diagnostics in the order of the configuration. */
  async run(graph: DependencyGraph): Promise<readonly AddressedDiagnostic[]> {
    const outcomes = new Map<DependencyNode, Promise<readonly Diagnostic[] | undefined>>();
    for (const node of inOrder(graph.nodes)) {
      const needed = [...node.dependencies].map((dependency) => outcomes.get(dependency)!);
      const outcome = (async () => {
        const results = await Promise.all(needed);
        // A block after a faulty one has no diagnostics of its own.
        if (results.some((result) => result === undefined || hasErrors(result))) return undefined;
        return this.#validate(node);
      })();
      outcome.catch(() => undefined);
      outcomes.set(node, outcome);
    }
    const found: Diagnostic[] = [];
    for (const node of graph.nodes) found.push(...((await outcomes.get(node)) ?? []));
    return found;
  }

  schemaOf = ({ provider, address }: ResourceBlock): Block | undefined => provider && this.#schemas.resource(provider, address)?.block;

  resourceValue = async (scope: ModuleScope, block: ResourceBlock): Promise<Value> => this.#resourceValue(scope.configuration, block);

  providerFunction = async (scope: ModuleScope, { subject }: Reference, pending: PendingCalls): Promise<CtyFunction> => {
    if (subject.kind !== "providerFunction") throw new RangeError("the reference is not one of a provider's function");
    const source = scope.configuration.module.requiredProviders.get(subject.provider)!.provider;
    const signature = (await this.#pool.schemas(source)).functions.get(subject.name);
    if (signature === undefined) return unknownFunction;
    const provider = await this.#pool.unconfigured(source);
    return this.#functionCalls.create(formatReferenceSubject(subject), subject.name, signature, provider, pending);
  };

  #resourceValue(configuration: Configuration, block: ResourceBlock): Value {
    const schema = this.schemaOf(block);
    return schema === undefined ? unknown(dynamic) : unknownResourceValue(block, schema, isRemoteModule(configuration));
  }

  #scope(configuration: Configuration): ValidationScope {
    let scope = this.#scopes.get(configuration);
    if (scope === undefined) this.#scopes.set(configuration, (scope = new ValidationScope(this, configuration)));
    return scope;
  }

  async #validate(node: DependencyNode): Promise<readonly Diagnostic[]> {
    const report: Report = [];
    const configuration = node.module ?? this.#root;
    const scope = this.#scope(configuration);
    const name = node.local!;
    switch (node.part) {
      case "variable":
        await this.#validateVariable(configuration, name, report);
        break;
      case "variableValidation":
        await this.#validateRules(scope, name, report);
        break;
      case "local":
        report.push(...(await scope.evaluatedLocal(name)).diagnostics);
        break;
      case "output":
        await validateOutput(scope, name, report);
        break;
      case "check":
        await validateCheck(scope, name, report);
        break;
      case "moduleStart":
        await validateCall(scope, name, report);
        break;
      case "resource": {
        if (isSubstituted(this.substitutions, configuration.path)) break;
        const target = { scope, root: this.#scope(this.#root), block: node.block!, schemas: this.#schemas, pool: this.#pool };
        await validateResource({ ...target, address: node.name, self: this.#resourceValue(configuration, node.block!) }, report);
        break;
      }
      case "provider":
        await this.#validateProvider(node.provider!, report);
        break;
      default:
    }
    return report;
  }

  /** Validates the value that a module call gives to a variable. */
  async #validateVariable(configuration: Configuration, name: string, report: Report): Promise<void> {
    const { parent, path, module } = configuration;
    const variable = module.variables.get(name)!;
    if (parent === undefined) {
      this.#variableValues.set(`var.${name}`, unknown(variable.type ?? dynamic));
      return;
    }
    const address = formatInModulePath(path, `var.${name}`);
    const expression = parent.module.calls.get(path.at(-1)!)!.config.justAttributes().attributes.get(name)?.expression;
    let raw: Value | undefined;
    if (expression !== undefined) {
      const { value, diagnostics } = await this.#scope(parent).evaluate(expression, anyRepetition);
      if (reportAll(report, diagnostics)) return;
      raw = value;
    }
    const value = finalVariableValue(variable, address, { value: raw, expression }, report);
    this.#variableValues.set(address, value);
    if (!hasErrors(report) && expression !== undefined) {
      reportDiscardedAttributes(expression, variable.constraint ?? dynamic, report, name);
    }
  }

  async #validateRules(scope: ValidationScope, name: string, report: Report): Promise<void> {
    const { path, module, parent } = scope.configuration;
    const variable = module.variables.get(name)!;
    const expression = parent?.module.calls.get(path.at(-1)!)?.config.justAttributes().attributes.get(name)?.expression;
    const value = this.#variableValues.get(formatInModulePath(path, `var.${name}`))!;
    const own: Report = [];
    for (const rule of variable.validations) {
      if (!isComplete(rule) || hasErrors(own)) continue;
      const { scope: at, diagnostics } = await scope.validationScope(variable, value, rule);
      if (!reportAll(own, diagnostics)) checkValidation(variable, rule, at, { expression, address: scope.addressOf(`var.${name}`) }, own);
    }
    own.push(...variableDeprecation(variable, expression, isRemoteModule(scope.configuration)));
    report.push(...own.filter(({ extra }) => !(extra?.kind === "valueCause" && extra.cause === "unknown")));
  }

  /** @see OpenTofu node_provider.go, ValidateProvider */
  async #validateProvider(config: ProviderConfig, report: Report): Promise<void> {
    const configuration = descendant(this.#root, config.module);
    const block = configuration && providerBlockOf(configuration, config);
    // Without arguments, a provider may get its configuration from elsewhere.
    if (configuration === undefined || block === undefined || !hasErrors(block.config.content({}).diagnostics)) return;
    const schema = this.#schemas.configuration(config.provider);
    if (schema === undefined || this.substitutions?.isMocked(config) === true) return;
    const provider = await this.#pool.unconfigured(config.provider);
    const name = block.alias === undefined ? block.localName : `${block.localName}.${block.alias}`;
    const instances = configuration.providerInstances.get(name);
    const keys: readonly (readonly [string | undefined, ScopeData])[] =
      instances === undefined
        ? [[undefined, noScopeData]]
        : [...instances].map(([key, eachValue]) => [key, { eachKey: of(string, key), eachValue }]);
    for (const [key, data] of keys) {
      const address = formatProviderConfigInstance({ config, ...(key !== undefined && { key }) });
      const { value, diagnostics } = await this.#scope(configuration).decode(block.config, schema, data, { allowsEphemeral: true });
      if (reportAll(report, diagnostics)) continue;
      const validated = await provider.validateProviderConfig({ config: unmarkDeep(value)[0] });
      report.push(...locateDiagnostics(validated.diagnostics, block.config, address));
    }
  }
}

/** The arguments of a module call may refer to both `count` and `each` here, because the repetition of the call is not checked yet. */
const anyRepetition: ScopeData = { countIndex: unknown(number), eachKey: unknown(string), eachValue: unknown(dynamic) };

/** The nodes of a graph without cycles, each after the nodes on which it depends. */
function inOrder(nodes: Iterable<DependencyNode>): readonly DependencyNode[] {
  const ordered = new Set<DependencyNode>();
  for (const start of nodes) {
    const stack: { readonly node: DependencyNode; readonly next: Iterator<DependencyNode> }[] = [];
    const enter = (node: DependencyNode): void => {
      if (!ordered.has(node)) stack.push({ node, next: node.dependencies.values() });
    };
    enter(start);
    for (let top = stack.at(-1); top !== undefined; top = stack.at(-1)) {
      const step = top.next.next();
      if (step.done !== true) enter(step.value);
      else {
        stack.pop();
        ordered.add(top.node);
      }
    }
  }
  return [...ordered];
}
