// SPDX-License-Identifier: Apache-2.0

package main

import (
	"bufio"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/zclconf/go-cty/cty"
)

// operation is an operation of the oracle. Its parameters are read before it runs; writer.any writes its result.
type operation struct {
	parameters []parameter
	// rest reads any number of further arguments; nil if the operation takes none.
	rest *parameter
	run  func([]any) (any, error)
}

// operations by name. The op_*.go files register them.
var operations = map[string]operation{}

func define(name string, run func([]any) (any, error), parameters ...parameter) {
	operations[name] = operation{parameters: parameters, run: run}
}

// one and two define operations with one and two parameters that return no error; they can only panic.
func one[A any](name string, a parameter, run func(A) any) {
	define(name, func(args []any) (any, error) { return run(args[0].(A)), nil }, a)
}

func two[A, B any](name string, a, b parameter, run func(A, B) any) {
	define(name, func(args []any) (any, error) { return run(args[0].(A), args[1].(B)), nil }, a, b)
}

// listOperations writes a line for each operation: its name, then its parameters.
func listOperations(out *bufio.Writer) {
	for _, name := range slices.Sorted(maps.Keys(operations)) {
		known := operations[name]
		names := make([]string, 0, len(known.parameters)+1)
		for _, parameter := range known.parameters {
			names = append(names, parameter.name)
		}
		if known.rest != nil {
			names = append(names, known.rest.name+"...")
		}
		fmt.Fprintln(out, name, strings.Join(names, " "))
	}
}

// errorText is one error in a list: its text, and its path if it has one.
func errorText(err error) record {
	if at, ok := err.(cty.PathError); ok {
		return record{{"msg", err.Error()}, {"path", at.Path}}
	}
	return record{{"msg", err.Error()}}
}
