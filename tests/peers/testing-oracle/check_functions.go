// SPDX-License-Identifier: Apache-2.0

package main

import (
	"github.com/hashicorp/terraform-plugin-testing/knownvalue"
	"github.com/hashicorp/terraform-plugin-testing/plancheck"
	"github.com/hashicorp/terraform-plugin-testing/querycheck"
	"github.com/hashicorp/terraform-plugin-testing/querycheck/queryfilter"
	"github.com/hashicorp/terraform-plugin-testing/statecheck"
)

func (a arguments) planCheck(name string) plancheck.PlanCheck {
	switch name {
	case "ExpectEmptyPlan":
		return plancheck.ExpectEmptyPlan()
	case "ExpectNonEmptyPlan":
		return plancheck.ExpectNonEmptyPlan()
	case "ExpectResourceAction":
		return plancheck.ExpectResourceAction(a.Address, plancheck.ResourceActionType(a.Action))
	case "ExpectKnownValue":
		return plancheck.ExpectKnownValue(a.Address, a.Path.convert(), a.Expected.convert())
	case "ExpectUnknownValue":
		return plancheck.ExpectUnknownValue(a.Address, a.Path.convert())
	case "ExpectSensitiveValue":
		return plancheck.ExpectSensitiveValue(a.Address, a.Path.convert())
	case "ExpectKnownOutputValue":
		return plancheck.ExpectKnownOutputValue(a.Output, a.Expected.convert())
	case "ExpectKnownOutputValueAtPath":
		return plancheck.ExpectKnownOutputValueAtPath(a.Output, a.Path.convert(), a.Expected.convert())
	case "ExpectUnknownOutputValue":
		return plancheck.ExpectUnknownOutputValue(a.Output)
	case "ExpectUnknownOutputValueAtPath":
		return plancheck.ExpectUnknownOutputValueAtPath(a.Output, a.Path.convert())
	case "ExpectNullOutputValue":
		return plancheck.ExpectNullOutputValue(a.Output)
	case "ExpectNullOutputValueAtPath":
		return plancheck.ExpectNullOutputValueAtPath(a.Output, a.Path.convert())
	case "ExpectDeferredChange":
		return plancheck.ExpectDeferredChange(a.Address, plancheck.DeferredReason(a.Reason))
	case "ExpectNoDeferredChanges":
		return plancheck.ExpectNoDeferredChanges()
	}
	refuse("unknown check of a plan: %q", name)
	return nil
}

func (a arguments) stateCheck(name string) statecheck.StateCheck {
	switch name {
	case "ExpectKnownValue":
		return statecheck.ExpectKnownValue(a.Address, a.Path.convert(), a.Expected.convert())
	case "ExpectKnownOutputValue":
		return statecheck.ExpectKnownOutputValue(a.Output, a.Expected.convert())
	case "ExpectKnownOutputValueAtPath":
		return statecheck.ExpectKnownOutputValueAtPath(a.Output, a.Path.convert(), a.Expected.convert())
	case "ExpectSensitiveValue":
		return statecheck.ExpectSensitiveValue(a.Address, a.Path.convert())
	case "CompareValuePairs":
		return statecheck.CompareValuePairs(a.Address, a.Path.convert(), a.OtherAddress, a.OtherPath.convert(), a.comparer())
	case "CompareValueCollection":
		return statecheck.CompareValueCollection(a.Address, paths(a.Collection), a.OtherAddress, a.OtherPath.convert(), a.comparer())
	case "ExpectIdentity":
		return statecheck.ExpectIdentity(a.Address, convertAll(a.Values))
	case "ExpectIdentityValue":
		return statecheck.ExpectIdentityValue(a.Address, a.Path.convert(), a.Expected.convert())
	case "ExpectIdentityValueMatchesState":
		return statecheck.ExpectIdentityValueMatchesState(a.Address, a.Path.convert())
	case "ExpectIdentityValueMatchesStateAtPath":
		return statecheck.ExpectIdentityValueMatchesStateAtPath(a.Address, a.Path.convert(), a.OtherPath.convert())
	}
	refuse("unknown check of a state: %q", name)
	return nil
}

func (a arguments) queryCheck(name string) querycheck.QueryResultCheck {
	switch name {
	case "ExpectIdentity":
		return querycheck.ExpectIdentity(a.Address, convertAll(a.Values))
	case "ExpectNoIdentity":
		return querycheck.ExpectNoIdentity(a.Address, convertAll(a.Values))
	case "ExpectLength":
		return querycheck.ExpectLength(a.Address, a.Length)
	case "ExpectLengthAtLeast":
		return querycheck.ExpectLengthAtLeast(a.Address, a.Length)
	case "ExpectTotalLengthForMatching":
		return querycheck.ExpectTotalLengthForMatching(pattern(a.Pattern), a.Length)
	case "ExpectResourceDisplayName":
		return querycheck.ExpectResourceDisplayName(a.Address, a.Filter.convert(), a.Expected.convert())
	case "ExpectResourceKnownValues":
		return querycheck.ExpectResourceKnownValues(a.Address, a.Filter.convert(), a.knownValues())
	}
	refuse("unknown check of a query: %q", name)
	return nil
}

func (a arguments) knownValues() []querycheck.KnownValueCheck {
	checks := []querycheck.KnownValueCheck{}
	for name, expected := range a.Values {
		checks = append(checks, querycheck.KnownValueCheck{Path: path{name}.convert(), KnownValue: expected.convert()})
	}
	return checks
}

func (f *filter) convert() queryfilter.QueryFilter {
	switch {
	case f == nil:
		return nil
	case f.DisplayName != nil:
		return queryfilter.ByDisplayName(f.DisplayName.convert())
	default:
		return queryfilter.ByResourceIdentity(convertAll(f.Identity))
	}
}

func convertAll(values map[string]knownValue) map[string]knownvalue.Check {
	checks := map[string]knownvalue.Check{}
	for name, value := range values {
		checks[name] = value.convert()
	}
	return checks
}
