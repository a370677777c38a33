// SPDX-License-Identifier: Apache-2.0

/**
 * How much a violation weighs. Of an `error`, a core reports a bug of the provider, or its users see changes that they did not make, or lose
 * an object. A `warning` is about behaviour that the cores tolerate, and that nearly all providers have.
 */
export type LawWeight = "error" | "warning";

/** What a law needs: the schema, plans, or applied changes. */
export type LawNeed = "schema" | "plan" | "apply";

/** A rule that the resources of every provider follow. */
export interface Law {
  readonly weight: LawWeight;
  readonly needs: LawNeed;
  /** What must hold. */
  readonly statement: string;
  /** What an author does about a violation. */
  readonly advice: string;
}

const law = (weight: LawWeight, needs: LawNeed, statement: string, advice: string): Law => ({ weight, needs, statement, advice });

/** Name of a law. */
export type LawName =
  | "schema-valid"
  | "names-agree"
  | "answers-calls"
  | "valid-diagnostics"
  | "repeatable-validation"
  | "unknown-validates"
  | "required-enforced"
  | "computed-refused"
  | "write-only-refused"
  | "deprecation-warned"
  | "can-plan"
  | "valid-plan"
  | "repeatable-plan"
  | "no-replacement-of-nothing"
  | "final-plan-fits"
  | "valid-replacement-paths"
  | "no-unasked-deferral"
  | "deferral-changes-nothing"
  | "identity-kept"
  | "upgrade-keeps-state"
  | "upgrade-lenient"
  | "unknown-source-refused"
  | "can-apply"
  | "kept-plan"
  | "stable-read"
  | "empty-second-plan"
  | "import-equals-state"
  | "generated-configuration"
  | "earlier-state-upgraded"
  | "other-type-moved"
  | "update-equals-replace"
  | "gone-after-delete"
  | "nothing-remains";

/** The laws, in the order of a report. */
export const laws: Readonly<Record<LawName, Law>> = {
  "schema-valid": law("error", "schema", "The schema follows the rules of the protocol.", "Correct the attribute or block in the schema."),
  "names-agree": law(
    "error",
    "schema",
    "GetMetadata names the same components as GetProviderSchema.",
    "Return the same names in both responses.",
  ),
  "answers-calls": law(
    "error",
    "plan",
    "The provider answers every call.",
    "Find the crash in the provider's output, and return an error diagnostic instead.",
  ),
  "valid-diagnostics": law(
    "warning",
    "plan",
    "Diagnostics have a summary, are not repeated, and have a path that a core can follow.",
    "Correct the diagnostic.",
  ),
  "repeatable-validation": law(
    "error",
    "plan",
    "A configuration is valid each time or never.",
    "Validation must depend on the configuration alone.",
  ),
  "unknown-validates": law(
    "error",
    "plan",
    "A valid configuration stays valid when values are unknown.",
    "Skip values in validation that are not known yet.",
  ),
  "required-enforced": law(
    "warning",
    "plan",
    "A configuration without a required attribute is refused.",
    "Report null for a required attribute as an error: a core does not refuse an attribute that is set to null.",
  ),
  "computed-refused": law(
    "warning",
    "plan",
    "A configuration that sets a computed attribute is refused.",
    "Report the attribute as an error.",
  ),
  "write-only-refused": law(
    "error",
    "plan",
    "A write-only attribute is refused for a core that does not know write-only attributes.",
    "Report an error: such a core would store the value.",
  ),
  "deprecation-warned": law(
    "warning",
    "plan",
    "The use of what is deprecated causes a warning.",
    "Return a warning from validation that says what to use instead.",
  ),
  "can-plan": law(
    "warning",
    "plan",
    "A valid configuration can be planned.",
    "Move the check from the plan to validation, or generate fewer configurations with `values`.",
  ),
  "valid-plan": law(
    "error",
    "plan",
    "A plan keeps what the configuration sets.",
    "Plan the values of the configuration. Only computed attributes that it does not set may differ.",
  ),
  "repeatable-plan": law(
    "error",
    "plan",
    "The same change is planned in the same way each time.",
    "Plan values that are made during apply as unknown.",
  ),
  "no-replacement-of-nothing": law(
    "warning",
    "plan",
    "The plan of a new object, or of no change, requires no replacement.",
    "Return paths that require replacement only for changed attributes of an existing object.",
  ),
  "final-plan-fits": law(
    "error",
    "plan",
    "The plan with all values known fits the one that was made when some were unknown.",
    "Plan a computed value as unknown if it depends on an unknown value of the configuration, and require a replacement if one of its possible values requires one.",
  ),
  "valid-replacement-paths": law(
    "warning",
    "plan",
    "Each path that requires a replacement names an attribute of the schema, once.",
    "Return the path of the attribute, and each path once.",
  ),
  "no-unasked-deferral": law(
    "error",
    "plan",
    "A change is deferred only for a core that allows it.",
    "Look at the client capability `deferral_allowed`.",
  ),
  "deferral-changes-nothing": law(
    "error",
    "plan",
    "A core that allows deferral gets a deferred response, or the same response as other cores.",
    "Return the reason of the deferral in each response that is deferred.",
  ),
  "identity-kept": law(
    "error",
    "plan",
    "A plan, an apply and a read return the identity of the object, whole, and it does not change.",
    "Return the identity with each response.",
  ),
  "upgrade-keeps-state": law(
    "error",
    "plan",
    "The upgrade of a state of the current version changes nothing.",
    "Return the values of a state of the current version as they are.",
  ),
  "upgrade-lenient": law(
    "warning",
    "plan",
    "A state is upgraded although it has an attribute too many, an attribute or block too few, a number or a boolean as text, or a set in another order.",
    "Ignore attributes that the schema does not have, convert texts, and return an empty collection for a block that is missing.",
  ),
  "unknown-source-refused": law(
    "warning",
    "plan",
    "The move of an object of an unknown type is refused.",
    "Return an error for types that the resource cannot be moved from.",
  ),
  "can-apply": law(
    "warning",
    "apply",
    "A valid configuration can be applied.",
    "Validate what the remote system refuses, or generate fewer configurations with `values`.",
  ),
  "kept-plan": law(
    "error",
    "apply",
    "An apply returns the planned values, and all values are known.",
    "Return the planned values. A value that the remote system changes must be computed, and unknown in the plan.",
  ),
  "stable-read": law(
    "error",
    "apply",
    "A read after an apply returns the same values.",
    "Return from the read what create and update return.",
  ),
  "empty-second-plan": law(
    "error",
    "apply",
    "The plan of a configuration that was applied is empty.",
    "Compare what is planned with what create, update and read return.",
  ),
  "import-equals-state": law(
    "error",
    "apply",
    "An imported object has the same values as in the state.",
    "Read all attributes in the import, or name those that cannot be read in `ignoreOnImport`.",
  ),
  "generated-configuration": law(
    "error",
    "apply",
    "The configuration that is generated from a state is valid and sets nothing deprecated, and its plan is empty.",
    "Generate the arguments that the state has, and leave out computed ones.",
  ),
  "earlier-state-upgraded": law(
    "error",
    "apply",
    "A state and an identity of an earlier version are upgraded.",
    "Add an upgrade from this version.",
  ),
  "other-type-moved": law(
    "error",
    "apply",
    "An object of a type that the resource takes over is moved, and can be read then.",
    "Convert the state, the identity and the private data of the other type.",
  ),
  "update-equals-replace": law(
    "error",
    "apply",
    "After an update no value of the earlier configuration remains: the object equals one that was created with the new configuration.",
    "Change all that depends on the configuration in the update, and do not keep the prior value of such an attribute in the plan.",
  ),
  "gone-after-delete": law(
    "error",
    "apply",
    "A deleted object does not exist any more.",
    "Return null from the read of an object that does not exist.",
  ),
  "nothing-remains": law(
    "error",
    "apply",
    "Nothing remains in the remote system after all objects are deleted.",
    "Delete all that create makes. If create fails half-way, return what exists, so that a core deletes it.",
  ),
};

/** The names of all laws, in the order of a report. */
export const lawNames = Object.keys(laws) as readonly LawName[];

/** A violation of a law in one case. */
export interface Violation {
  readonly law: LawName;
  /** What happened: one or more lines. */
  readonly text: string;
  /** Whether the case has changed its configuration before. */
  readonly isChange?: boolean;
}
