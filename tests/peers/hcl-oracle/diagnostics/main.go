// SPDX-License-Identifier: Apache-2.0

// Lists every diagnostic that the HCL library for Go has in its sources: JSON, an array of the places that make one.
//
//	go run ./diagnostics > ../../conformance/hcl/library-diagnostics.json
//
// A text is as it stands there, with its verbs; what is put together elsewhere is "%v". Equal ones of a package are one, with
// all their places: `file.go function`, and how many there are in it.
package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
)

const library = "github.com/hashicorp/hcl/v2"

// packages are those that @tenon/hcl has a counterpart of.
var packages = []string{".", "hclsyntax", "json", "hcldec", "ext/dynblock", "ext/typeexpr", "ext/tryfunc", "hclparse"}

type listed struct {
	Package string   `json:"package"`
	Summary string   `json:"summary"`
	Detail  string   `json:"detail"`
	Places  []string `json:"places"`
}

func main() {
	folder, err := exec.Command("go", "list", "-m", "-f", "{{.Dir}}", library).Output()
	check(err)
	all := []*listed{}
	for _, name := range packages {
		all = append(all, listPackage(name, filepath.Join(strings.TrimSpace(string(folder)), name))...)
	}
	lines := [][]byte{}
	for _, one := range all {
		var line bytes.Buffer
		encoder := json.NewEncoder(&line)
		encoder.SetEscapeHTML(false)
		check(encoder.Encode(one))
		lines = append(lines, bytes.TrimSpace(line.Bytes()))
	}
	fmt.Printf("[\n%s\n]\n", bytes.Join(lines, []byte(",\n")))
}

func listPackage(name, folder string) []*listed {
	files := token.NewFileSet()
	parsed := map[string]*ast.File{}
	paths, err := filepath.Glob(filepath.Join(folder, "*.go"))
	check(err)
	for _, path := range paths {
		if !strings.HasSuffix(path, "_test.go") {
			parsed[path], err = parser.ParseFile(files, path, nil, 0)
			check(err)
		}
	}
	constants := constantsOf(parsed)
	found := []*listed{}
	for _, path := range paths {
		if parsed[path] == nil {
			continue
		}
		for _, declared := range parsed[path].Decls {
			function, ok := declared.(*ast.FuncDecl)
			if !ok {
				continue
			}
			place := filepath.Base(path) + " " + nameOf(function)
			ast.Inspect(function, func(node ast.Node) bool {
				if literal, ok := node.(*ast.CompositeLit); ok {
					if summary, detail, ok := texts(literal, constants); ok {
						found = enter(found, listed{name, summary, detail, []string{place}})
					}
				}
				return true
			})
		}
	}
	return found
}

// enter adds a place to what is listed already, or lists it.
func enter(found []*listed, one listed) []*listed {
	for _, known := range found {
		if known.Summary == one.Summary && known.Detail == one.Detail {
			known.Places = append(known.Places, one.Places...)
			slices.Sort(known.Places)
			return found
		}
	}
	return append(found, &one)
}

func nameOf(function *ast.FuncDecl) string {
	if function.Recv == nil {
		return function.Name.Name
	}
	receiver := function.Recv.List[0].Type
	if pointer, ok := receiver.(*ast.StarExpr); ok {
		receiver = pointer.X
	}
	return fmt.Sprintf("%s.%s", receiver, function.Name.Name)
}

// texts are the summary and the detail of what is a diagnostic: a literal with a field Summary.
func texts(literal *ast.CompositeLit, constants map[string]string) (summary, detail string, ok bool) {
	for _, element := range literal.Elts {
		pair, isPair := element.(*ast.KeyValueExpr)
		if !isPair {
			continue
		}
		switch key, _ := pair.Key.(*ast.Ident); key.String() {
		case "Summary":
			summary, ok = textOf(pair.Value, constants), true
		case "Detail":
			detail = textOf(pair.Value, constants)
		}
	}
	return summary, detail, ok
}

func textOf(node ast.Expr, constants map[string]string) string {
	switch node := node.(type) {
	case *ast.BasicLit:
		text, err := strconv.Unquote(node.Value)
		check(err)
		return text
	case *ast.BinaryExpr:
		return textOf(node.X, constants) + textOf(node.Y, constants)
	case *ast.CallExpr:
		if called, ok := node.Fun.(*ast.SelectorExpr); ok && called.Sel.Name == "Sprintf" {
			return textOf(node.Args[0], constants)
		}
	case *ast.Ident:
		if text, ok := constants[node.Name]; ok {
			return text
		}
	}
	return "%v"
}

// constantsOf are the strings that have a name, wherever they have it.
func constantsOf(parsed map[string]*ast.File) map[string]string {
	constants := map[string]string{}
	for _, file := range parsed {
		ast.Inspect(file, func(node ast.Node) bool {
			declared, ok := node.(*ast.GenDecl)
			if !ok || declared.Tok != token.CONST {
				return true
			}
			for _, spec := range declared.Specs {
				if value := spec.(*ast.ValueSpec); len(value.Values) == 1 {
					if text, ok := value.Values[0].(*ast.BasicLit); ok && text.Kind == token.STRING {
						constants[value.Names[0].Name] = textOf(text, nil)
					}
				}
			}
			return true
		})
	}
	return constants
}

func check(err error) {
	if err != nil {
		fmt.Fprintln(os.Stderr, "diagnostics:", err)
		os.Exit(1)
	}
}
