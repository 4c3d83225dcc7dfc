// Package cli is the program mcp-gates, which checks how well agents pick the tools of MCP servers, from recorded runs.
//
// Each command has a file. A command reads its flags and the environment, opens the files that they name, and chooses the exit
// status. Everything else is in the other packages under internal. cmd/check and cmd/mcp-gates are this program under two
// names.
package cli

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log"
	"os"
	"runtime"
	"runtime/debug"
	"slices"
	"strings"

	"github.com/org/mcp-gates/internal/report"
	"github.com/org/mcp-gates/internal/source"
	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
	"golang.org/x/term"
)

// Main runs the program with the arguments and the environment of the process, and ends it with the exit status.
func Main() {
	// Go's HTTP client logs unexpected data of a server unchanged. The data can contain secrets, and texts that the runner of an
	// action takes for commands. This program does not use that logger itself.
	log.SetOutput(io.Discard)
	saveTime(os.Getenv)
	os.Exit(run(os.Args[1:], os.Getenv, os.Stdin, os.Stdout, os.Stderr))
}

// program holds the environment and the streams of a command, and its exit status.
type program struct {
	getenv         func(string) string
	stdin          io.Reader
	stdout, stderr io.Writer
	status         int
}

// run runs the program with the arguments after its name, and returns the exit status: that of the report, 2 for wrong
// arguments, 3 if something that was needed broke.
func run(args []string, getenv func(string) string, stdin io.Reader, stdout, stderr io.Writer) int {
	p := &program{getenv: getenv, stdin: stdin, stdout: stdout, stderr: stderr}
	root := p.rootCommand()
	root.SetArgs(args)
	root.SetIn(stdin)
	root.SetOut(stdout)
	root.SetErr(stderr)
	err := root.ExecuteContext(context.Background())
	if err == nil {
		return p.status
	}
	fmt.Fprintf(stderr, "mcp-gates: %s\n", report.Safe(err.Error()))
	if _, isWorld := errors.AsType[worldError](err); isWorld {
		return report.ExitWorld
	}
	return report.ExitUser
}

// worldError is an error that does not come from the user's input.
type worldError struct{ error }

func (e worldError) Unwrap() error { return e.error }

func (p *program) rootCommand() *cobra.Command {
	root := &cobra.Command{
		Use:   "mcp-gates",
		Short: "Check how well agents pick the tools of MCP servers",
		Long: `mcp-gates checks how well agents pick the tools of MCP servers. It judges recorded runs (cassettes) by the
gates of suites, without a model or a server. "run --live" and "run --record" make new runs: they start the
suites' servers and let models use them.

Exit status: 0 everything passed, 1 a gate or an expectation failed, 2 the input is wrong or insufficient, 3 a
server, a provider, a file or another thing that the check needs failed. The worst status wins.`,
		Example: `  mcp-gates run
  mcp-gates run suites/weather.yml --format json=report.json
  mcp-gates run --record
  mcp-gates snapshot -- node server.js > catalogs/weather.json
  mcp-gates lint catalogs/weather.json
  mcp-gates find "rain tomorrow" weather=catalogs/weather.json
  mcp-gates report report.json --format text`,
		SilenceErrors:     true,
		SilenceUsage:      true,
		CompletionOptions: cobra.CompletionOptions{DisableDefaultCmd: true},
		Args:              knownCommand,
		RunE: func(cmd *cobra.Command, _ []string) error {
			if asked, _ := cmd.Flags().GetBool("version"); asked {
				return p.printVersion()
			}
			cmd.SetOut(p.stderr)
			p.status = report.ExitUser
			return cmd.Help()
		},
	}
	// Cobra's own flag would bring text/template, and the linker would then keep every method, 3 MB.
	root.Flags().BoolP("version", "v", false, "print the version")
	root.SetFlagErrorFunc(flagError)
	root.AddCommand(p.initCommand(), p.runCommand(), p.lintCommand(), p.findCommand(), p.costCommand(), p.benchCommand(), p.reportCommand(), p.mergeCommand(), p.actionCommand(), p.compareCommand(), p.historyCommand(), p.bisectCommand(), p.mockCommand(), p.proxyCommand(), p.snapshotCommand(), p.importCommand(), p.completionCommand(), p.versionCommand(),
		p.schemaCommand(), p.validateCommand(), p.intentsCommand(), p.doctorCommand(), p.toolBenchCommand())
	completeWords(root)
	return root
}

// knownCommand refuses arguments without a command before them.
func knownCommand(cmd *cobra.Command, args []string) error {
	if len(args) == 0 {
		return nil
	}
	var names []string
	for _, c := range cmd.Commands() {
		if !c.Hidden {
			names = append(names, c.Name())
		}
	}
	return unknownNameError("command", args[0], "commands", names)
}

func unknownNameError(noun, name, nouns string, names []string) error {
	return fmt.Errorf("unknown %s %q%s; the %s are %s", noun, name, source.DidYouMean(name, names), nouns, strings.Join(names, ", "))
}

func exactArgs(n int, arguments string) cobra.PositionalArgs { return countedArgs(n, n, arguments) }

// countedArgs refuses fewer arguments than least, and more than most.
func countedArgs(least, most int, arguments string) cobra.PositionalArgs {
	return func(cmd *cobra.Command, args []string) error {
		if len(args) < least || len(args) > most {
			return fmt.Errorf("%s takes %s, found %d arguments", cmd.Name(), arguments, len(args))
		}
		return nil
	}
}

// flagError adds the valid flags to the error about an unknown flag. An error about the value of a flag already lists the valid
// values.
func flagError(cmd *cobra.Command, err error) error {
	if invalid, ok := errors.AsType[*pflag.InvalidValueError](err); ok {
		if _, ok := invalid.GetFlag().Value.(*word); ok {
			return fmt.Errorf("--%s %w", invalid.GetFlag().Name, invalid.Unwrap())
		}
	}
	var unknown *pflag.NotExistError
	if !errors.As(err, &unknown) {
		return err
	}
	var names []string
	cmd.Flags().VisitAll(func(f *pflag.Flag) { names = append(names, "--"+f.Name) })
	given := "--" + unknown.GetSpecifiedName()
	if unknown.GetSpecifiedShortnames() != "" {
		given = "-" + unknown.GetSpecifiedName()
	}
	return fmt.Errorf("unknown flag %q%s; %q has %s", given, source.DidYouMean(given, names), cmd.CommandPath(),
		strings.Join(slices.Sorted(slices.Values(names)), ", "))
}

func isTerminal(stream io.Writer) bool {
	file, ok := stream.(*os.File)
	return ok && term.IsTerminal(int(file.Fd()))
}

// isPrivate reports whether only the person at a terminal reads the stream. A terminal does not prove this, because some CI systems
// give their jobs a terminal and publish the log.
func (p *program) isPrivate(stream io.Writer) bool { return p.getenv("CI") == "" && isTerminal(stream) }

func (p *program) movesCursor(stream io.Writer) bool {
	return p.getenv("TERM") != "dumb" && isTerminal(stream)
}

// terminalWidth returns the number of characters in a line of the terminal that stream writes to; 0 if it is unknown.
func terminalWidth(stream io.Writer) int {
	file, ok := stream.(*os.File)
	if !ok {
		return 0
	}
	width, _, _ := term.GetSize(int(file.Fd())) // 0 on an error
	return width
}

// colors reports whether colours may be written to stream; see https://no-color.org.
func (p *program) colors(stream io.Writer) bool {
	return p.getenv("NO_COLOR") == "" && p.movesCursor(stream)
}

// leastHeap is the size, in bytes, up to which memory is used before garbage is collected. A check of a few hundred cases is over
// before 32 MiB are in use, and collecting would be a third of its work.
const leastHeap = 32 << 20

// growth is the percentage by which the memory in use may grow before the next collection, once it is larger than leastHeap; see
// runtime/debug.SetGCPercent. A large check mostly holds the runs of cassettes, which stay in use. With half of Go's own 100
// percent, the peak on 80 MB of runs is a tenth lower, and the check takes no more time.
const growth = 50

// memoryGoal is the size, in bytes, that the memory is to stay below: above it, garbage is collected as often as necessary. A check
// is to take no more than 1 GiB, and the largest evidence that a case may have takes less than memoryGoal.
const memoryGoal = 768 << 20

// saveTime makes garbage collection rare until the memory reaches a certain size, and saves memory above it. The environment
// can override this.
func saveTime(getenv func(string) string) {
	if getenv("GOGC") != "" || getenv("GOMEMLIMIT") != "" {
		return
	}
	const runtimeLeast = 4 << 20 // with 100 percent, Go first collects at 4 MiB
	debug.SetGCPercent(100 * leastHeap / runtimeLeast)
	debug.SetMemoryLimit(memoryGoal)
	afterCollection(func() { debug.SetGCPercent(percentFor(liveHeap())) })
}

// percentFor returns the percentage by which the memory may grow before the next collection. live is the number of bytes in use.
func percentFor(live uint64) int {
	if live == 0 || live >= leastHeap {
		return growth
	}
	return max(growth, int(100*(leastHeap-live)/live))
}

// liveHeap returns the number of bytes that are in use after a collection.
func liveHeap() uint64 {
	var now runtime.MemStats
	runtime.ReadMemStats(&now)
	return now.HeapAlloc
}

func afterCollection(do func()) {
	// Nothing refers to this value, so the next collection runs its cleanup.
	collected := &struct{ self *int }{}
	runtime.AddCleanup(collected, func(do func()) {
		do()
		afterCollection(do)
	}, do)
}

// importMemory is the size, in bytes, above which an import collects garbage all the time. An import holds only one run or two,
// mostly in a few long texts, so that a collection takes little time.
const importMemory = 20 << 20

// saveMemory makes garbage collection frequent until the returned function is called. The environment can override this.
func (p *program) saveMemory() (end func()) {
	if p.getenv("GOGC") != "" || p.getenv("GOMEMLIMIT") != "" {
		return func() {}
	}
	before := debug.SetMemoryLimit(importMemory)
	return func() { debug.SetMemoryLimit(before) }
}
