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

// operation is a question that can be asked. Parameters are read before it runs; what it answers is written by writer.any.
type operation struct {
	parameters []parameter
	// rest reads any number of further arguments; nil where there are none.
	rest *parameter
	run  func([]any) (any, error)
}

// operations is filled by the files that hold them.
var operations = map[string]operation{}

func define(name string, run func([]any) (any, error), parameters ...parameter) {
	operations[name] = operation{parameters: parameters, run: run}
}

// one, two and three define operations that cannot fail in any way but a panic.
func one[A any](name string, a parameter, run func(A) any) {
	define(name, func(args []any) (any, error) { return run(args[0].(A)), nil }, a)
}

func two[A, B any](name string, a, b parameter, run func(A, B) any) {
	define(name, func(args []any) (any, error) { return run(args[0].(A), args[1].(B)), nil }, a, b)
}

// listOperations writes a line each: the name, then what it takes.
func listOperations(out *bufio.Writer) {
	for _, name := range slices.Sorted(maps.Keys(operations)) {
		known := operations[name]
		names := make([]string, 0, len(known.parameters)+1)
		for _, taken := range known.parameters {
			names = append(names, taken.name)
		}
		if known.rest != nil {
			names = append(names, known.rest.name+"...")
		}
		fmt.Fprintln(out, name, strings.Join(names, " "))
	}
}

// errorText is an error among several: its path and its text.
func errorText(err error) record {
	if at, ok := err.(cty.PathError); ok {
		return record{{"msg", err.Error()}, {"path", at.Path}}
	}
	return record{{"msg", err.Error()}}
}
