// SPDX-License-Identifier: Apache-2.0
import { setTimeout as sleep } from "node:timers/promises";
import type { LogRecord } from "@tenon/plugin-host";
import type { LazySignal, RequestStruct } from "@tenon/protocol/carrier";
import { TurnoverSet } from "@tenon/protocol/turnover";
import type { Provider } from "@tenon/schema";
import { BridgeError } from "../../error.ts";
import { openOwnProvider } from "../../provider/open-own-provider.ts";
import { decodeParameter, encodeParameter } from "../../provider/provider-parameter.ts";
import { componentFilter, type ProviderSelection } from "../../provider/provider-selection.ts";
import { isRecorded } from "../../recording/recorded-provider.ts";
import { ProgramSecrets } from "../../recording/program-secrets.ts";
import type { OpenSettings, SelectedProvider } from "../../provider/selected-provider.ts";
import type { ObjectMapping } from "../mapping/mapping.ts";
import type { PropertyMap } from "../property/property-value.ts";
import type { BridgeContext, MessageSeverity } from "../resource/bridge-context.ts";
import { ResourceLists } from "../resource/list-resources.ts";
import { decodeProperties } from "../values/decode-properties.ts";
import type { AcceptedKinds } from "../values/encode-properties.ts";
import { secretLeaves } from "../values/secret-leaves.ts";
import { bridgePackage, type BridgedPackage, recordedNames } from "../schema/bridge-package.ts";
import { cachedSchema } from "./cached-schema.ts";
import { EngineLog } from "./engine-log.ts";
import { parseParameterArguments } from "./parameter-arguments.ts";

/** Settings of a plugin, which all its sessions share. */
export interface PluginSettings {
  /** Name of the plugin, without `pulumi-resource-`. */
  readonly name: string;
  /** Version of the plugin: a full semantic version. */
  readonly version: string;
  readonly environment: Readonly<Record<string, string | undefined>>;
  /** Whether the engine wants the debug log of providers. */
  readonly verbose: boolean;
  /** Opens the provider that a parameter selects; undefined for a plugin that serves only one. */
  readonly openSelected?: (selection: ProviderSelection, settings: OpenSettings) => Promise<SelectedProvider>;
  /** Creates an instance of the provider of a plugin that serves only this one; undefined for a plugin whose provider is a parameter. */
  readonly openOwn?: () => Provider | Promise<Provider>;
  /** Whether numbers that a double cannot hold exactly are strings in outputs, for a plugin without parameter. Default: false. */
  readonly exactNumbers?: boolean;
}

/** The kinds of values that an engine and the plugin have agreed on. */
export interface NegotiatedKinds {
  /** Whether strings that are not valid UTF-8 may be sent. */
  readonly bytes: boolean;
  /** Calls whose responses may have outputs with dependencies. */
  readonly outputsIn: ReadonlySet<"check" | "invoke" | "call">;
}

/** Version of Terraform that providers get. It decides which features they enable. */
const terraformVersion = "1.12.6";

/** Grace period of a cancelled change, in milliseconds. Objects that the provider has created by its end are kept. */
const stopGraceMs = 30_000;

/** Time for calls in flight to end when the session is closed, in milliseconds. The engine kills the plugin after five seconds. */
const settleMs = 3_500;

/** The context of a call. That of the plugin's own carrier reports a cancellation without a signal. */
export interface CallCancellation extends Partial<Pick<LazySignal, "onAbort">> {
  /** Aborted when the engine cancels the call. */
  readonly signal: AbortSignal;
}

/** Calls a listener when the engine cancels a call. Returns a function that removes the listener. */
function onCancel(context: CallCancellation, listener: (reason: unknown) => void): () => void {
  if (context.onAbort !== undefined) return context.onAbort(listener);
  const { signal } = context;
  const abort = (): void => listener(signal.reason);
  if (signal.aborted) abort();
  signal.addEventListener("abort", abort, { once: true });
  return () => signal.removeEventListener("abort", abort);
}

/** The component whose properties have secrets. */
interface SecretsSubject {
  /** Name of its type in the provider. Default: that of the provider's configuration. */
  readonly typeName?: string;
  readonly object?: ObjectMapping;
}

interface OpenPackage extends Pick<BridgedPackage, "mapping"> {
  /** Pulumi schema of the package, as JSON text. */
  readonly schema: () => Promise<string>;
  readonly selected: SelectedProvider;
}

/** The session of one engine: the provider that it selected, and its configuration. It outlives the connections of the engine. */
export class PluginSession {
  readonly settings: PluginSettings;
  readonly lists: ResourceLists = new ResourceLists();
  #log: EngineLog | undefined;
  #accepted: NegotiatedKinds = { bytes: false, outputsIn: new Set() };
  #package: Promise<OpenPackage> | undefined;
  #context: BridgeContext | undefined;
  #isParameterized = false;
  readonly #inFlight = new TurnoverSet<Promise<unknown>>();
  /** Controllers of the calls in flight. */
  readonly #controllers = new TurnoverSet<AbortController>();
  readonly #cancelled = new AbortController();
  readonly #endSteps: (() => Promise<void>)[] = [];
  /** The values that the program marks as secret, for recordings; undefined if nothing is recorded. */
  readonly #secrets: ProgramSecrets | undefined;
  /** The configuration of the provider; undefined before it is configured. */
  config: PropertyMap | undefined;

  constructor(settings: PluginSettings, engineAddress?: string) {
    this.settings = settings;
    this.#secrets = isRecorded(settings.environment) ? new ProgramSecrets() : undefined;
    if (engineAddress) this.attach(engineAddress);
  }

  /** Sends further messages to this engine. */
  attach(engineAddress: string): void {
    const before = this.#log;
    this.#log = new EngineLog(engineAddress);
    void before?.close();
  }

  /** Log of the engine; undefined before one is known. */
  get log(): EngineLog | undefined {
    return this.#log;
  }

  /** Kinds of values that both sides accept. */
  get accepted(): NegotiatedKinds {
    return this.#accepted;
  }

  /** Kinds of values that the response to a call may have. */
  acceptedIn(call: "check" | "invoke" | "call"): AcceptedKinds {
    const { bytes, outputsIn } = this.#accepted;
    return { bytes, outputs: outputsIn.has(call) };
  }

  set accepted(kinds: NegotiatedKinds) {
    this.#accepted = kinds;
  }

  /**
   * Decodes the properties of a request.
   *
   * @param of - The component that has the properties. Default: unknown.
   * @throws BridgeError `INVALID_PROPERTIES`
   */
  decode(struct: RequestStruct | undefined, of?: SecretsSubject): PropertyMap {
    const properties = decodeProperties(struct?.read());
    this.hideSecrets(properties, of);
    return properties;
  }

  /** Like {@link hideSecrets}, for properties that are decoded only if something is recorded. @throws BridgeError `INVALID_PROPERTIES` */
  hideEncodedSecrets(struct: RequestStruct | undefined, of?: SecretsSubject): void {
    if (this.#secrets !== undefined) this.decode(struct, of);
  }

  /** Adds the secrets of decoded properties to those that recordings mask. */
  hideSecrets(properties: PropertyMap, { typeName = "", object }: SecretsSubject = {}): void {
    if (this.#secrets === undefined) return;
    for (const { value, place } of secretLeaves(properties, object)) this.#secrets.add(value, place && { typeName, names: place });
  }

  /** Whether a package was selected. */
  get isParameterized(): boolean {
    return this.#isParameterized;
  }

  /** Aborted when the engine cancels the session. */
  get signal(): AbortSignal {
    return this.#cancelled.signal;
  }

  /** Selects the provider by arguments, or by the value that an earlier selection by arguments returned. */
  async parameterize(parameter: { readonly args: readonly string[] } | { readonly value: Uint8Array }): Promise<OpenPackage> {
    const { openSelected } = this.settings;
    if (!openSelected) throw new BridgeError("INVALID_REQUEST", `the plugin ${this.settings.name} takes no parameters`);
    if (this.#isParameterized) throw new BridgeError("INVALID_REQUEST", "the provider was selected already: a session has one provider");
    const selection = "args" in parameter ? parseParameterArguments(parameter.args) : decodeParameter(parameter.value);
    this.#isParameterized = true;
    const opening = openSelected(selection, this.#openSettings()).then((selected) => this.#bridgeOrClose(selected));
    this.#package = opening;
    try {
      return await opening;
    } catch (error) {
      // The engine may try again, for example when a registry can be reached.
      this.#isParameterized = false;
      this.#package = undefined;
      throw error;
    }
  }

  /** The selected package. @throws BridgeError `INVALID_REQUEST` if none is selected yet. */
  async package(): Promise<OpenPackage> {
    if (this.settings.openOwn) this.#package ??= this.#openOwn(this.settings.openOwn);
    if (this.#package === undefined) {
      throw new BridgeError("INVALID_REQUEST", "no provider is selected: call Parameterize first");
    }
    return await this.#package;
  }

  /** The context of operations. */
  async context(): Promise<BridgeContext> {
    return (this.#context ??= this.#contextOf(await this.package()));
  }

  #contextOf({ mapping, selected }: OpenPackage): BridgeContext {
    return {
      mapping,
      provider: selected.provider,
      providerAddress: selected.address,
      terraformVersion,
      showMessage: this.showMessage,
      signal: this.#cancelled.signal,
      onEnd: (step) => void this.#endSteps.push(step),
    };
  }

  /** Shows a message to the user. */
  readonly showMessage = (severity: MessageSeverity, message: string, urn: string): void => {
    this.#log?.write(severity, message, urn);
  };

  /** Asks the provider to stop its operations. Calls in flight still get responses. */
  cancel(): void {
    this.#cancelled.abort(new BridgeError("INVALID_REQUEST", "the engine cancelled the operation"));
    for (const controller of this.#controllers) controller.abort(this.signal.reason);
  }

  /**
   * Makes a call, which is in flight until it is settled. Its signal is aborted when the engine cancels the call or the session.
   *
   * @param context - The context of the call, which reports when the engine cancels it.
   */
  async tracked<Result>(context: CallCancellation, call: (signal: AbortSignal) => Promise<Result>): Promise<Result> {
    // AbortSignal.any, and the signal of the context, take longer than the rest of the bookkeeping of a call.
    const controller = new AbortController();
    if (this.signal.aborted) controller.abort(this.signal.reason);
    const removeListener = onCancel(context, (reason) => controller.abort(reason));
    this.#controllers.add(controller);
    const settled = call(controller.signal);
    this.#inFlight.add(settled);
    try {
      return await settled;
    } finally {
      this.#inFlight.delete(settled);
      this.#controllers.delete(controller);
      removeListener();
    }
  }

  /** Ends the provider and the connection to the engine. */
  async close(): Promise<void> {
    this.cancel();
    this.lists.close();
    // The response to a stopped change has the object that the change created.
    await Promise.race([Promise.allSettled(this.#inFlight), sleep(settleMs, undefined, { ref: false })]);
    await Promise.allSettled(this.#endSteps.splice(0).map((step) => step()));
    const opened = await this.#package?.catch(() => undefined);
    await opened?.selected.provider.close();
    await this.#log?.close();
  }

  #openSettings(): OpenSettings {
    return {
      environment: this.settings.environment,
      onLog: (record) => this.#writeRecord(record),
      logLevel: this.settings.verbose ? "debug" : "warn",
      stopGraceMs,
      ...(this.#secrets ? { secrets: this.#secrets } : {}),
      onProgress: (message) => this.showMessage("debug", message, ""),
      signal: this.#cancelled.signal,
    };
  }

  async #openOwn(create: NonNullable<PluginSettings["openOwn"]>): Promise<OpenPackage> {
    return await this.#bridgeOrClose(await openOwnProvider(await create(), this.settings, this.#openSettings()));
  }

  async #bridgeOrClose(selected: SelectedProvider): Promise<OpenPackage> {
    try {
      return await this.#bridge(selected);
    } catch (error) {
      await selected.provider.close();
      throw error;
    }
  }

  async #bridge(selected: SelectedProvider): Promise<OpenPackage> {
    const { pinned } = selected;
    const { name, version, openOwn } = this.settings;
    const bridged = await bridgePackage(selected.provider, {
      name: pinned.packageName ?? packageNameOf(selected.type),
      version: selected.version,
      includes: componentFilter(pinned),
      ...(pinned.names === undefined ? {} : { names: pinned.names }),
      exactNumbers: pinned.exactNumbers ?? this.settings.exactNumbers ?? false,
    });
    const { mapping } = bridged;
    // The value records the names that differ from those of Pulumi's own bridge, so that they do not change with the rules.
    const parameter = (): Uint8Array => encodeParameter({ ...pinned, names: { ...pinned.names, ...recordedNames(mapping) } });
    const write = (): string =>
      bridged.schema(openOwn ? {} : { parameterization: { baseProvider: { name, version }, parameter: parameter() } });
    const schema = (): Promise<string> =>
      cachedSchema(bridged.isConstant ? selected.cache : undefined, {
        plugin: `${name} ${version}`,
        selection: pinned,
        write,
        onStoring: (stored) => void this.#endSteps.push(() => stored),
      });
    return { mapping, schema, selected };
  }

  #writeRecord({ level, name, message, fields }: LogRecord): void {
    const details = Object.keys(fields).length === 0 ? "" : ` ${JSON.stringify(fields)}`;
    // Log records of a provider are for its developers, whatever their level. Messages for users are diagnostics.
    this.showMessage("debug", `[${level}] ${name}: ${message}${details}`, "");
  }
}

/** Name of the package of a provider: letters, digits and hyphens. */
function packageNameOf(type: string): string {
  const name = type
    .toLowerCase()
    .replaceAll(/[^a-z0-9-]+/g, "-")
    .replaceAll(/^[^a-z]+|-+$/g, "");
  return name === "" ? "provider" : name;
}
