// SPDX-License-Identifier: Apache-2.0

// The program inflector reads a word a line, and writes its plural and its singular, separated by a tab. The library is the one that Pulumi's
// Terraform bridge names properties with.
package main

import (
	"bufio"
	"fmt"
	"os"

	"github.com/pulumi/inflector"
)

func main() {
	words := bufio.NewScanner(os.Stdin)
	results := bufio.NewWriter(os.Stdout)
	defer results.Flush()
	for words.Scan() {
		word := words.Text()
		fmt.Fprintf(results, "%s\t%s\n", inflector.Pluralize(word), inflector.Singularize(word))
	}
	if err := words.Err(); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}
