// SPDX-License-Identifier: Apache-2.0

// The program testing-oracle evaluates checks of terraform-plugin-testing over plans, states and results of queries. It reads a case a line, and
// writes the outcomes of its checks:
//
//	{"id":1,"plan":{…},"checks":[{"on":"plan","name":"ExpectEmptyPlan","arguments":{}}]}
//	{"id":1,"outcomes":[{"passed":false,"error":"expected empty plan, but …"}]}
package main

import (
	"bufio"
	"encoding/json"
	"fmt"
	"os"
)

var version = "dev"

// A testCase is a line of the input.
type testCase struct {
	ID int `json:"id"`
	documents
	Checks []check `json:"checks"`
}

// An outcome says whether a check passes. Refused gives the reason why the case is malformed.
type outcome struct {
	Passed  bool   `json:"passed"`
	Error   string `json:"error,omitempty"`
	Refused string `json:"refused,omitempty"`
}

func main() {
	lines := bufio.NewScanner(os.Stdin)
	lines.Buffer(nil, 256<<20)
	results := bufio.NewWriter(os.Stdout)
	encoder := json.NewEncoder(results)
	for lines.Scan() {
		if err := encoder.Encode(answer(lines.Bytes())); err != nil {
			fail(err)
		}
		if err := results.Flush(); err != nil {
			fail(err)
		}
	}
	if err := lines.Err(); err != nil {
		fail(err)
	}
}

func fail(err error) {
	fmt.Fprintf(os.Stderr, "testing-oracle %s: %v\n", version, err)
	os.Exit(1)
}

// answer evaluates the checks of a case.
func answer(line []byte) map[string]any {
	var one testCase
	if err := json.Unmarshal(line, &one); err != nil {
		return map[string]any{"id": one.ID, "refused": err.Error()}
	}
	outcomes := make([]outcome, 0, len(one.Checks))
	for _, check := range one.Checks {
		outcomes = append(outcomes, evaluate(check, one.documents))
	}
	return map[string]any{"id": one.ID, "outcomes": outcomes}
}

// evaluate runs one check. A malformed check panics with a refusal.
func evaluate(one check, read documents) (result outcome) {
	defer func() {
		problem := recover()
		if reason, ok := problem.(refusal); ok {
			result = outcome{Refused: string(reason)}
		} else if problem != nil {
			// What terraform-plugin-testing itself panics with: the test of an author would fail, too.
			result = outcome{Error: fmt.Sprintf("panic: %v", problem)}
		}
	}()
	if err := one.run(read); err != nil {
		return outcome{Error: err.Error()}
	}
	return outcome{Passed: true}
}

// A refusal is the reason why a case cannot be evaluated.
type refusal string

func refuse(format string, values ...any) {
	panic(refusal(fmt.Sprintf(format, values...)))
}
