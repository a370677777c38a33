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

// With -bench an input line is one of
//
//	{"name":"parse","task":"parse","source":"…"}     prepares a task; prints its result: {"result":"…"}
//	{"name":"parse","ms":100}                        runs the task for that time; prints the time of one run: {"ns":1234.5}
//	{"name":"parse","memory":true}                   prints the bytes that the task's result keeps reachable: {"bytes":1234}
//
// A measurement uses the input with which the task was prepared. The tasks:
//
//	parse      parses a body; the result is the hash of its tree in the notation of parse.config
//	format     formats a text; the result is the text
//	evaluate   {"sources":[…],"scope":…,"times":1000}: evaluates all expressions that many times; the result is the hash of the last values
type benchInput struct {
	Name    string          `json:"name"`
	Task    string          `json:"task"`
	Source  string          `json:"source"`
	Sources []string        `json:"sources"`
	Scope   json.RawMessage `json:"scope"`
	Times   int             `json:"times"`
	Ms      int             `json:"ms"`
	Memory  bool            `json:"memory"`
}

// task is the code to measure, and its result, which must equal that of the compared library.
type task struct {
	run    func() any
	result func() string
}

func serveBench(in io.Reader, out *bufio.Writer) error {
	tasks := map[string]task{}
	decoder := json.NewDecoder(bufio.NewReaderSize(in, 1<<20))
	decoder.DisallowUnknownFields()
	for {
		var input benchInput
		if err := decoder.Decode(&input); err == io.EOF {
			return nil
		} else if err != nil {
			return err
		}
		switch {
		case input.Memory:
			fmt.Fprintf(out, "{\"bytes\":%d}\n", retainedBytes(tasks[input.Name].run))
		case input.Ms > 0:
			fmt.Fprintf(out, "{\"ns\":%f}\n", timed(tasks[input.Name].run, time.Duration(input.Ms)*time.Millisecond))
		default:
			prepared, err := prepare(input)
			if err != nil {
				return err
			}
			tasks[input.Name] = prepared
			fmt.Fprintf(out, "{\"result\":%s}\n", quoted(prepared.result()))
		}
		if err := out.Flush(); err != nil {
			return err
		}
	}
}

// sink keeps results reachable, so that the compiler cannot remove the computation.
var sink any

// timed runs the code for about the given time and returns the nanoseconds of one run on this thread; garbage collection runs on others.
func timed(run func() any, span time.Duration) float64 {
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	rounds := 1
	for {
		start := clock()
		for range rounds {
			sink = run()
		}
		if elapsed := clock() - start; elapsed >= span || rounds >= 1<<30 {
			return float64(elapsed.Nanoseconds()) / float64(rounds)
		} else if elapsed < span/16 {
			rounds *= 8
		} else {
			rounds = int(float64(rounds)*float64(span)/float64(elapsed)) + 1
		}
	}
}

// retainedBytes returns the bytes that the result of the code keeps reachable.
func retainedBytes(run func() any) uint64 {
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

func prepare(input benchInput) (task, error) {
	source := []byte(input.Source)
	switch input.Task {
	case "parse":
		run := func() any { file, _ := hclsyntax.ParseConfig(source, filename, hcl.InitialPos); return file }
		return task{run, func() string { return hashOf(bodyNotation(run().(*hcl.File).Body.(*hclsyntax.Body))) }}, nil
	case "format":
		run := func() any { return hclwrite.Format(source) }
		return task{run, func() string { return string(run().([]byte)) }}, nil
	case "evaluate":
		return prepareEvaluation(input)
	}
	return task{}, errors.New("unknown task " + input.Task)
}

func prepareEvaluation(input benchInput) (task, error) {
	scope := readScope(tree(input.Scope))
	expressions := make([]hclsyntax.Expression, len(input.Sources))
	for i, source := range input.Sources {
		expression, diagnostics := hclsyntax.ParseExpression([]byte(source), filename, hcl.InitialPos)
		if diagnostics.HasErrors() {
			return task{}, diagnostics
		}
		expressions[i] = expression
	}
	values := make([]cty.Value, len(expressions))
	run := func() any {
		for range input.Times {
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
