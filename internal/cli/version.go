package cli

import (
	"fmt"
	"regexp"
	"runtime"
	"runtime/debug"
	"strings"
	"sync"

	"github.com/org/mcp-gates/internal/report"
	"github.com/spf13/cobra"
)

// version is the version of the release that this source is, or will become, without the v of the tag.
const version = "1.0.0"

// The linker sets these values (-X github.com/org/mcp-gates/internal/cli.stampedCommit=…) for builds without a repository: in the
// Dockerfile and in the archives of a release. So the image and the archives count as the same build.
var (
	stampedCommit  string // 40 digits
	stampedRelease string // the tag, such as v1.0.0; "" for a build between releases
)

// thisBuild describes this program in reports.
var thisBuild = sync.OnceValue(func() report.Tool {
	info, _ := debug.ReadBuildInfo()
	return buildOf(info, stampedCommit, stampedRelease)
})

// pseudoVersion is the version that go install gives to a commit without a tag.
var pseudoVersion = regexp.MustCompile(`^v.*[-.]\d{14}-([0-9a-f]{12})$`)

// buildOf returns this build: the one that the linker stamped or, without a stamp, the one that Go's own information describes. A
// build from modified files has no build id, because no commit has these files.
func buildOf(info *debug.BuildInfo, commit, tag string) report.Tool {
	if commit != "" || info == nil || info.Main.Replace != nil {
		return toolVersion(commit, commit, tag)
	}
	isModified := false
	for _, s := range info.Settings {
		switch s.Key {
		case "vcs.revision":
			commit = s.Value
		case "vcs.modified":
			isModified = s.Value == "true"
		}
	}
	switch {
	case isModified:
		return toolVersion("", commit, "", ".modified")
	case commit != "":
		return toolVersion(commit, commit, info.Main.Version)
	}
	if match := pseudoVersion.FindStringSubmatch(info.Main.Version); match != nil {
		commit = match[1]
	}
	return toolVersion(info.Main.Sum, commit, info.Main.Version)
}

// toolVersion returns the build with its version: that of its tag, or otherwise one that precedes the next release, with the
// commit in its suffix.
func toolVersion(build, commit, tag string, suffix ...string) report.Tool {
	const short = 12 // number of digits that go install also shows
	t := report.Tool{Name: "mcp-gates", Version: version, Build: build}
	if tag == "v"+version {
		return t
	}
	t.Version += "-dev"
	if commit != "" {
		t.Version += "+" + commit[:min(short, len(commit))] + strings.Join(suffix, "")
	}
	return t
}

// printVersion is the command version, and the flag --version.
func (p *program) printVersion() error {
	t := thisBuild()
	_, err := fmt.Fprintf(p.stdout, "mcp-gates %s %s %s %s/%s\n", t.Version, t.BuildName(), runtime.Version(), runtime.GOOS, runtime.GOARCH)
	return err
}

func (p *program) versionCommand() *cobra.Command {
	return &cobra.Command{
		Use:   "version",
		Short: "Print the version and the commit",
		Long: `Version prints the version, the commit, the version of Go and the platform. A build between releases has the
version of the next release and its commit, such as 1.0.0-dev+0123456789ab, and satisfies "min_version" of that
release. A program that "go install" built from a module shows the module's checksum instead of its commit.`,
		Example: `  mcp-gates version`,
		Args:    noArguments,
		RunE:    func(*cobra.Command, []string) error { return p.printVersion() },
	}
}

func noArguments(cmd *cobra.Command, args []string) error {
	if len(args) > 0 {
		return fmt.Errorf("%s takes no arguments, found %q", cmd.Name(), args[0])
	}
	return nil
}
