// SPDX-License-Identifier: Apache-2.0

package main

import (
	"bytes"
	"encoding/json"
	"os"

	tfjson "github.com/hashicorp/terraform-json"
)

// A document is the JSON of a plan or a state, or the path of a file with it, as a string.
type document json.RawMessage

func (d *document) UnmarshalJSON(text []byte) error {
	*d = append((*d)[:0], text...)
	return nil
}

// documents are what the checks of a case look at.
type documents struct {
	Plan  document `json:"plan"`
	State document `json:"state"`
	// States are those of several steps, for CompareValue.
	States []document `json:"states"`
	// Lists are the addresses of the list blocks of a query, also of those without results.
	Lists   []string          `json:"lists"`
	Results []json.RawMessage `json:"results"`
}

// content returns the JSON of a document.
func (d document) content(what string) []byte {
	if len(d) == 0 {
		refuse("the case has no %s", what)
	}
	if d[0] != '"' {
		return d
	}
	var path string
	if err := json.Unmarshal(d, &path); err != nil {
		refuse("path of the %s: %v", what, err)
	}
	content, err := os.ReadFile(path)
	if err != nil {
		refuse("%s: %v", what, err)
	}
	return content
}

func (d documents) plan() *tfjson.Plan {
	var plan tfjson.Plan
	// As terraform-exec reads plans for terraform-plugin-testing.
	plan.UseJSONNumber(true)
	if err := plan.UnmarshalJSON(d.Plan.content("plan")); err != nil {
		refuse("plan: %v", err)
	}
	return &plan
}

func (d document) state() *tfjson.State {
	var state tfjson.State
	state.UseJSONNumber(true)
	if err := state.UnmarshalJSON(d.content("state")); err != nil {
		refuse("state: %v", err)
	}
	return &state
}

// results returns what a query found, and the number of results of each list block.
func (d documents) results() ([]tfjson.ListResourceFoundData, []tfjson.ListCompleteData) {
	totals := map[string]int{}
	found := []tfjson.ListResourceFoundData{}
	for _, text := range d.Results {
		var result tfjson.ListResourceFoundData
		decoder := json.NewDecoder(bytes.NewReader(text))
		// As terraform-json reads the log of a query.
		decoder.UseNumber()
		if err := decoder.Decode(&result); err != nil {
			refuse("result: %v", err)
		}
		totals[result.Address]++
		found = append(found, result)
	}
	summaries := []tfjson.ListCompleteData{}
	for _, address := range d.Lists {
		summaries = append(summaries, tfjson.ListCompleteData{Address: address, Total: totals[address]})
	}
	return found, summaries
}
