// SPDX-License-Identifier: Apache-2.0

package main

import (
	"bufio"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"runtime"
	"time"

	"github.com/hashicorp/hcl/v2"
	"github.com/hashicorp/hcl/v2/hclsyntax"
	"github.com/hashicorp/hcl/v2/hclwrite"
	"github.com/zclconf/go-cty/cty"
)

// With -bench a line in is one of
//
//	{"name":"parse","task":"parse","source":"…"}     what the task gives: {"result":"…"}
//	{"name":"parse","ms":100}                        how long it takes, tried so long: {"ns":1234.5}
//	{"name":"parse","memory":true}                   the bytes that what it gives keeps alive: {"bytes":1234}
//
// A task keeps what it was given first.
//
//	parse      a body; gives the hash of its tree as parse.config writes it
//	format     a text; gives the text
//	evaluate   {"sources":[…],"scope":…,"times":1000}: all expressions so many times; gives the hash of their values, of the last time
type measure struct {
	Name    string          `json:"name"`
	Task    string          `json:"task"`
	Source  string          `json:"source"`
	Sources []string        `json:"sources"`
	Scope   json.RawMessage `json:"scope"`
	Times   int             `json:"times"`
	Ms      int             `json:"ms"`
	Memory  bool            `json:"memory"`
}

// task is what is timed, and what shows that it did the same as the other side.
type task struct {
	run    func() any
	result func() string
}

func serveBench(in io.Reader, out *bufio.Writer) error {
	tasks := map[string]task{}
	decoder := json.NewDecoder(bufio.NewReaderSize(in, 1<<20))
	decoder.DisallowUnknownFields()
	for {
		var asked measure
		if err := decoder.Decode(&asked); err == io.EOF {
			return nil
		} else if err != nil {
			return err
		}
		switch {
		case asked.Memory:
			fmt.Fprintf(out, "{\"bytes\":%d}\n", kept(tasks[asked.Name].run))
		case asked.Ms > 0:
			fmt.Fprintf(out, "{\"ns\":%f}\n", timed(tasks[asked.Name].run, time.Duration(asked.Ms)*time.Millisecond))
		default:
			made, err := prepare(asked)
			if err != nil {
				return err
			}
			tasks[asked.Name] = made
			fmt.Fprintf(out, "{\"result\":%s}\n", quoted(made.result()))
		}
		if err := out.Flush(); err != nil {
			return err
		}
	}
}

// sink keeps results alive, so that no work is left out.
var sink any

// timed runs for about so long and answers the nanoseconds of one run: of this thread, while the collector works on others.
func timed(run func() any, span time.Duration) float64 {
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	rounds := 1
	for {
		start := clock()
		for range rounds {
			sink = run()
		}
		if taken := clock() - start; taken >= span || rounds >= 1<<30 {
			return float64(taken.Nanoseconds()) / float64(rounds)
		} else if taken < span/16 {
			rounds *= 8
		} else {
			rounds = int(float64(rounds)*float64(span)/float64(taken)) + 1
		}
	}
}

func kept(run func() any) uint64 {
	sink = nil
	before := heap()
	result := run()
	after := heap()
	runtime.KeepAlive(result)
	return after - before
}

func heap() uint64 {
	runtime.GC()
	runtime.GC()
	var stats runtime.MemStats
	runtime.ReadMemStats(&stats)
	return stats.HeapAlloc
}

func prepare(asked measure) (task, error) {
	source := []byte(asked.Source)
	switch asked.Task {
	case "parse":
		run := func() any { file, _ := hclsyntax.ParseConfig(source, filename, hcl.InitialPos); return file }
		return task{run, func() string { return hashOf(bodyNotation(run().(*hcl.File).Body.(*hclsyntax.Body))) }}, nil
	case "format":
		run := func() any { return hclwrite.Format(source) }
		return task{run, func() string { return string(run().([]byte)) }}, nil
	case "evaluate":
		return prepareEvaluation(asked)
	}
	return task{}, errors.New("no task " + asked.Task)
}

func prepareEvaluation(asked measure) (task, error) {
	scope := readScope(tree(asked.Scope))
	expressions := make([]hclsyntax.Expression, len(asked.Sources))
	for i, source := range asked.Sources {
		expression, diagnostics := hclsyntax.ParseExpression([]byte(source), filename, hcl.InitialPos)
		if diagnostics.HasErrors() {
			return task{}, diagnostics
		}
		expressions[i] = expression
	}
	values := make([]cty.Value, len(expressions))
	run := func() any {
		for range asked.Times {
			for i, expression := range expressions {
				values[i], _ = expression.Value(scope)
			}
		}
		return values
	}
	return task{run, func() string {
		run()
		written := []any{}
		for _, value := range values {
			written = append(written, value)
		}
		return hashOf(written)
	}}, nil
}

func hashOf(result any) string {
	w := newWriter()
	w.any(result)
	sum := sha256.Sum256(w.buffer.Bytes())
	return hex.EncodeToString(sum[:])
}
