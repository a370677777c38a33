// SPDX-License-Identifier: Apache-2.0

package main

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/hashicorp/terraform-plugin-framework/schema/validator"
)

// stringCheck is a validator that reports an error about the attribute if problem returns a text.
type stringCheck struct {
	summary string
	rule    string
	problem func(text string) string
}

func (c stringCheck) Description(context.Context) string { return c.rule }

func (c stringCheck) MarkdownDescription(context.Context) string { return c.rule }

func (c stringCheck) ValidateString(_ context.Context, req validator.StringRequest, resp *validator.StringResponse) {
	if req.ConfigValue.IsNull() || req.ConfigValue.IsUnknown() {
		return
	}
	if problem := c.problem(req.ConfigValue.ValueString()); problem != "" {
		resp.Diagnostics.AddAttributeError(req.Path, c.summary, problem)
	}
}

func lengthBetween(least, most int) validator.String {
	rule := fmt.Sprintf("must have %d to %d characters", least, most)
	return stringCheck{summary: "Invalid Length", rule: rule, problem: func(text string) string {
		if length := utf8.RuneCountInString(text); length < least || length > most {
			return fmt.Sprintf("The text %s, but has %d.", rule, length)
		}
		return ""
	}}
}

func oneOf(choices ...string) validator.String {
	rule := "must be one of " + strings.Join(choices, ", ")
	return stringCheck{summary: "Invalid Choice", rule: rule, problem: func(text string) string {
		if !slices.Contains(choices, text) {
			return fmt.Sprintf("The text %s, but is %q.", rule, text)
		}
		return ""
	}}
}
