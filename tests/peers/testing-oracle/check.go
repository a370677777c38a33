// SPDX-License-Identifier: Apache-2.0

package main

import (
	"context"
	"encoding/json"
	"regexp"

	"github.com/hashicorp/terraform-plugin-testing/compare"
	"github.com/hashicorp/terraform-plugin-testing/plancheck"
	"github.com/hashicorp/terraform-plugin-testing/querycheck"
	"github.com/hashicorp/terraform-plugin-testing/querycheck/queryfilter"
	"github.com/hashicorp/terraform-plugin-testing/statecheck"
	"github.com/hashicorp/terraform-plugin-testing/tfjsonpath"

	tfjson "github.com/hashicorp/terraform-json"
)

// A check is a function of the packages plancheck, statecheck or querycheck with its arguments, by name.
type check struct {
	// On is the document that the check looks at: plan, state or query.
	On        string    `json:"on"`
	Name      string    `json:"name"`
	Arguments arguments `json:"arguments"`
}

// arguments are those of all checks; each check uses some.
type arguments struct {
	Address  string                `json:"address"`
	Path     path                  `json:"path"`
	Output   string                `json:"output"`
	Action   string                `json:"action"`
	Reason   string                `json:"reason"`
	Expected knownValue            `json:"expected"`
	Values   map[string]knownValue `json:"values"`
	Length   int                   `json:"length"`
	Pattern  string                `json:"pattern"`
	Filter   *filter               `json:"filter"`
	// Collection is the path of a collection, and the paths in its elements.
	Collection   []path `json:"collection"`
	OtherAddress string `json:"otherAddress"`
	OtherPath    path   `json:"otherPath"`
	Comparer     string `json:"comparer"`
	// Added are the values of a CompareValue, one for each state.
	Added []struct {
		Address string `json:"address"`
		Path    path   `json:"path"`
	} `json:"added"`
}

// A filter selects results of a query by an identity or by a display name.
type filter struct {
	Identity    map[string]knownValue `json:"identity"`
	DisplayName *knownValue           `json:"displayName"`
}

// A path has names as strings and indices as numbers.
type path []any

func (p path) convert() tfjsonpath.Path {
	var result tfjsonpath.Path
	for index, step := range p {
		name, isName := step.(string)
		position, _ := step.(float64)
		switch {
		case index == 0 && isName:
			result = tfjsonpath.New(name)
		case index == 0:
			result = tfjsonpath.New(int(position))
		case isName:
			result = result.AtMapKey(name)
		default:
			result = result.AtSliceIndex(int(position))
		}
	}
	return result
}

func (c check) run(read documents) error {
	switch c.On {
	case "plan":
		var response plancheck.CheckPlanResponse
		c.Arguments.planCheck(c.Name).CheckPlan(context.Background(), plancheck.CheckPlanRequest{Plan: read.plan()}, &response)
		return response.Error
	case "state":
		if c.Name == "CompareValue" {
			return c.Arguments.compareValue(read.States)
		}
		var response statecheck.CheckStateResponse
		c.Arguments.stateCheck(c.Name).CheckState(context.Background(), statecheck.CheckStateRequest{State: read.State.state()}, &response)
		return response.Error
	case "query":
		return c.runQuery(read)
	}
	refuse("a check is on a plan, a state or a query, not on %q", c.On)
	return nil
}

// runQuery filters the results first, as the package helper/resource/query does.
func (c check) runQuery(read documents) error {
	ctx := context.Background()
	queryCheck := c.Arguments.queryCheck(c.Name)
	found, summaries := read.results()
	if filtering, ok := queryCheck.(querycheck.QueryResultCheckWithFilters); ok && len(filtering.QueryFilters(ctx)) > 0 {
		included := []tfjson.ListResourceFoundData{}
		for _, result := range found {
			for _, filter := range filtering.QueryFilters(ctx) {
				var response queryfilter.FilterQueryResponse
				filter.Filter(ctx, queryfilter.FilterQueryRequest{QueryItem: result}, &response)
				if response.Error != nil {
					return response.Error
				}
				if response.Include {
					included = append(included, result)
					break
				}
			}
		}
		found = included
	}
	var response querycheck.CheckQueryResponse
	request := querycheck.CheckQueryRequest{Query: found, QuerySummary: &tfjson.ListCompleteData{}, QuerySummaries: summaries}
	queryCheck.CheckQuery(ctx, request, &response)
	return response.Error
}

// compareValue adds a value of each state to a comparison. The error is that of the first state whose check fails.
func (a arguments) compareValue(states []document) error {
	if len(states) != len(a.Added) {
		refuse("CompareValue needs a state for each value")
	}
	comparison := statecheck.CompareValue(a.comparer())
	var last statecheck.StateCheck
	for _, value := range a.Added {
		last = comparison.AddStateValue(value.Address, value.Path.convert())
	}
	for _, state := range states {
		var response statecheck.CheckStateResponse
		last.CheckState(context.Background(), statecheck.CheckStateRequest{State: state.state()}, &response)
		if response.Error != nil {
			return response.Error
		}
	}
	return nil
}

func (a arguments) comparer() compare.ValueComparer {
	switch a.Comparer {
	case "ValuesSame":
		return compare.ValuesSame()
	case "ValuesDiffer":
		return compare.ValuesDiffer()
	}
	refuse("unknown comparer %q", a.Comparer)
	return nil
}

func pattern(text string) *regexp.Regexp {
	compiled, err := regexp.Compile(text)
	if err != nil {
		refuse("pattern: %v", err)
	}
	return compiled
}

func decode(text json.RawMessage, value any) {
	if err := json.Unmarshal(text, value); err != nil {
		refuse("%s: %v", text, err)
	}
}
