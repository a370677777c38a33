// SPDX-License-Identifier: Apache-2.0

// Lists every diagnostic in the sources of the HCL library for Go, as a JSON array.
//
//	go run ./diagnostics > ../../conformance/hcl/library-diagnostics.json
//
// A text is the format string in the source, with its verbs; a text that is not a literal or a constant is "%v". Equal diagnostics of one
// package are one entry with all their places, each as `file.go function`.
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

// packages are the packages with a counterpart in @tenon/hcl.
var packages = []string{".", "hclsyntax", "json", "hcldec", "ext/dynblock", "ext/typeexpr", "ext/tryfunc", "hclparse"}

// libraryDiagnostic is an entry of the list.
type libraryDiagnostic struct {
	Package string   `json:"package"`
	Summary string   `json:"summary"`
	Detail  string   `json:"detail"`
	Places  []string `json:"places"`
}

func main() {
	folder, err := exec.Command("go", "list", "-m", "-f", "{{.Dir}}", library).Output()
	check(err)
	all := []*libraryDiagnostic{}
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

func listPackage(name, folder string) []*libraryDiagnostic {
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
	found := []*libraryDiagnostic{}
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
						found = addDiagnostic(found, libraryDiagnostic{name, summary, detail, []string{place}})
					}
				}
				return true
			})
		}
	}
	return found
}

// addDiagnostic adds a diagnostic, or adds its place to the equal diagnostic in the list.
func addDiagnostic(found []*libraryDiagnostic, one libraryDiagnostic) []*libraryDiagnostic {
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

// texts returns the summary and the detail of a literal that is a diagnostic, because it has a field Summary.
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

// constantsOf returns the string constants of all files by name.
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
