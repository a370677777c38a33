// SPDX-License-Identifier: Apache-2.0

package main

import (
	"slices"

	"github.com/zclconf/go-cty/cty"
)

func init() {
	define("path.apply", func(args []any) (any, error) { return args[1].(cty.Path).Apply(args[0].(cty.Value)) }, aValue, aPath)
	two("path.equals", aPath, aPath, func(a, b cty.Path) any { return a.Equals(b) })
	two("path.hasPrefix", aPath, aPath, func(a, b cty.Path) any { return a.HasPrefix(b) })
	one("pathset.list", somePaths, func(paths []cty.Path) any { return pathsOf(cty.NewPathSet(paths...)) })
	for name, run := range map[string]func(a, b cty.PathSet) cty.PathSet{
		"union": cty.PathSet.Union, "intersection": cty.PathSet.Intersection,
		"subtract": cty.PathSet.Subtract, "symmetricDifference": cty.PathSet.SymmetricDifference,
	} {
		two("pathset."+name, somePaths, somePaths, func(a, b []cty.Path) any {
			return pathsOf(run(cty.NewPathSet(a...), cty.NewPathSet(b...)))
		})
	}
}

func pathsOf(set cty.PathSet) []any {
	all := []any{}
	for _, path := range set.List() {
		all = append(all, path)
	}
	return all
}

// path writes the steps. It omits nil steps, which go-cty's decoders append before they know the step.
func (w *writer) path(path cty.Path) {
	path = slices.DeleteFunc(path.Copy(), func(step cty.PathStep) bool { return step == nil })
	list(w, path, func(step cty.PathStep) {
		switch step := step.(type) {
		case cty.GetAttrStep:
			w.text(`["attr",`)
			w.string(step.Name)
		case cty.IndexStep:
			w.text(`["index",`)
			w.value(step.Key)
		}
		w.text("]")
	})
}
