// SPDX-License-Identifier: Apache-2.0

package main

import (
	"github.com/hashicorp/terraform-plugin-framework-validators/int64validator"
	"github.com/hashicorp/terraform-plugin-framework-validators/resourcevalidator"
	"github.com/hashicorp/terraform-plugin-framework-validators/stringvalidator"
	"github.com/hashicorp/terraform-plugin-framework/path"
	"github.com/hashicorp/terraform-plugin-framework/resource"
	"github.com/hashicorp/terraform-plugin-framework/schema/validator"
)

func expressions(names []string) []path.Expression {
	all := make([]path.Expression, len(names))
	for i, name := range names {
		all[i] = path.MatchRoot(name)
	}
	return all
}

// configValidators returns the rules about a whole configuration. The framework's packages for data sources and providers have the same rules.
func (s *schemaDeclaration) configValidators() []resource.ConfigValidator {
	var all []resource.ConfigValidator
	for _, rule := range s.Rules {
		names := expressions(rule.Names)
		switch rule.Rule {
		case "exactlyOneOf":
			all = append(all, resourcevalidator.ExactlyOneOf(names...))
		case "atLeastOneOf":
			all = append(all, resourcevalidator.AtLeastOneOf(names...))
		case "conflicting":
			all = append(all, resourcevalidator.Conflicting(names...))
		case "requiredTogether":
			all = append(all, resourcevalidator.RequiredTogether(names...))
		case "preferWriteOnly":
			all = append(all, resourcevalidator.PreferWriteOnlyAttribute(names[0], names[1]))
		}
	}
	return all
}

// stringRules returns the rules that the framework attaches to a string attribute, the first of the rule's names.
func (s *schemaDeclaration) stringRules(attribute string) []validator.String {
	var all []validator.String
	for _, rule := range s.Rules {
		if rule.Rule == "requires" && rule.Names[0] == attribute {
			all = append(all, stringvalidator.AlsoRequires(expressions(rule.Names[1:])...))
		}
	}
	return all
}

// numberRules returns the rules that the framework attaches to an int64 attribute, the first of the rule's names.
func (s *schemaDeclaration) numberRules(attribute string) []validator.Int64 {
	var all []validator.Int64
	for _, rule := range s.Rules {
		if rule.Names[0] != attribute {
			continue
		}
		others := expressions(rule.Names[1:])
		switch rule.Rule {
		case "atLeastSumOf":
			all = append(all, int64validator.AtLeastSumOf(others...))
		case "atMostSumOf":
			all = append(all, int64validator.AtMostSumOf(others...))
		case "equalToSumOf":
			all = append(all, int64validator.EqualToSumOf(others...))
		case "equalToProductOf":
			all = append(all, int64validator.EqualToProductOf(others...))
		}
	}
	return all
}
