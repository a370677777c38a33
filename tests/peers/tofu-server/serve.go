// SPDX-License-Identifier: Apache-2.0

// Runs OpenTofu's commands one after the other in one process: JSON lines in, JSON lines out.
//
//	{"folder": "/path/of/a/configuration", "arguments": ["plan", "-json"], "environment": {"HOME": "/path"}}
//	{"code": 0, "output": "…"}
//
// The build compiles this file together with the files of OpenTofu's own command, so that each line runs its real main function. Only the
// start of the process is left out, with the initialisation of OpenTofu's packages. Errors that the commands print go to standard error. A panic
// in OpenTofu ends the process, as in the command.
package main

import (
	"bufio"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"strconv"
	"syscall"
)

// request is one command. Its environment is added to the environment of the process.
type request struct {
	Folder      string            `json:"folder"`
	Arguments   []string          `json:"arguments"`
	Environment map[string]string `json:"environment"`
}

// response has the exit code of a command and what it wrote to standard output.
type response struct {
	Code   int    `json:"code"`
	Output string `json:"output"`
}

// init runs before OpenTofu's main function, and ends the process in its place.
func init() {
	if err := serve(os.Stdin, json.NewEncoder(os.Stdout)); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	os.Exit(0)
}

// serve runs commands until the input ends.
func serve(in io.Reader, out *json.Encoder) error {
	out.SetEscapeHTML(false)
	lines := json.NewDecoder(bufio.NewReader(in))
	for {
		var next request
		if err := lines.Decode(&next); err == io.EOF {
			return nil
		} else if err != nil {
			return fmt.Errorf("tofu-server cannot read a request: %w", err)
		}
		result, err := run(next)
		if err != nil {
			return fmt.Errorf("tofu-server cannot run %v in %s: %w", next.Arguments, next.Folder, err)
		}
		if err := out.Encode(result); err != nil {
			return err
		}
	}
}

// run runs a command in its folder, with a pipe in place of the standard output of the process.
func run(command request) (response, error) {
	if err := os.Chdir(command.Folder); err != nil {
		return response{}, err
	}
	for name, value := range command.Environment {
		if err := os.Setenv(name, value); err != nil {
			return response{}, err
		}
	}
	input, err := os.Open(os.DevNull)
	if err != nil {
		return response{}, err
	}
	defer input.Close()
	reader, writer, err := os.Pipe()
	if err != nil {
		return response{}, err
	}
	output := make(chan string, 1)
	go func() {
		all, _ := io.ReadAll(reader)
		reader.Close()
		output <- string(all)
	}()
	in, out, arguments := os.Stdin, os.Stdout, os.Args
	os.Stdin, os.Stdout, os.Args = input, writer, append([]string{"tofu"}, command.Arguments...)
	// The commands of a run keep its streams and its environment.
	commands = nil
	before := sockets()
	code := realMain()
	for socket := range sockets() {
		if !before[socket] {
			// The connection's own reader then closes the socket.
			_ = syscall.Shutdown(socket, syscall.SHUT_RDWR)
		}
	}
	os.Stdin, os.Stdout, os.Args = in, out, arguments
	writer.Close()
	return response{Code: code, Output: <-output}, nil
}

// sockets returns the descriptors of the open sockets of this process. OpenTofu keeps its connections to attached providers until the process
// ends.
func sockets() map[int]bool {
	found := map[int]bool{}
	entries, _ := os.ReadDir("/dev/fd")
	for _, entry := range entries {
		descriptor, err := strconv.Atoi(entry.Name())
		var info syscall.Stat_t
		if err == nil && syscall.Fstat(descriptor, &info) == nil && info.Mode&syscall.S_IFMT == syscall.S_IFSOCK {
			found[descriptor] = true
		}
	}
	return found
}
