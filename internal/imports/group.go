package imports

import (
	"cmp"
	"crypto/sha256"
	"fmt"
	"slices"
	"strings"

	"github.com/org/mcp-gates/internal/catalog"
	"github.com/org/mcp-gates/internal/lists"
	"github.com/org/mcp-gates/internal/redact"
	"github.com/org/mcp-gates/internal/source"
	"github.com/org/mcp-gates/internal/trace"
)

// Group has the runs that share the values of the keys, for one or more cassettes; see [Group.Parts]. All of its texts are without
// secrets.
type Group struct {
	Values []string // values of the keys that the runs are grouped by, in order; each is cut to about a thousand bytes

	Prompt, System PromptText
	Model          string // "" if a run's log does not have it, or the runs differ

	Runs    int
	Broken  int // number of Runs that did not end properly
	Calls   int
	Builtin int    // number of Calls of agents' own tools
	Tools   []*Use // tools that were called, in the order of their first call, at most maxTools
	More    bool   // the runs called further tools, which Tools lacks

	// Sets counts the runs that ended properly, by the set of tools that they called, without the agent's own tools. The key of
	// a set has a rune for each tool: the tool's index in Tools. Sets is nil if there are too many sets.
	Sets map[string]int

	File string // file with the first run

	MaxTokens trace.Count // greatest number of tokens of a run that ended properly; unknown if such a run lacks its tokens

	// Differs has the reasons for leaving values out of the cassette: the runs differ in them, or a cassette cannot hold them.
	Differs []string

	key           [sha256.Size]byte
	redactor      *redact.Redactor
	formats       []string
	time          string
	model         agreed
	provider      agreed
	providerModel agreed // the provider's name for the model
	prompt        agreed
	system        agreed
	offered       agreed
	catalog       *catalog.Catalog // tools of the first run that has a list, and the deferred tools that other runs add
	deferred      []catalog.Ref
	stored        []storedRun
}

// PromptText is a prompt or a system prompt of a group, without surrounding white space.
type PromptText struct {
	Whole  string // the whole text; "" if it is too long to be kept
	Head   string // beginning, in one line
	Bytes  int    // size of the text in the log
	SHA256 string // hash of the text in the log, in hex; "" if there is none
	Clean  string // hash of the text without secrets, in hex; "" if there is none
}

// Use counts the uses of a tool in the runs of a group.
type Use struct {
	catalog.Ref
	Calls    int
	Failed   int // number of Calls that returned an error
	Unmarked int // number of Calls whose result reads like an error, but is not marked as an error in the log
	Runs     int // number of runs that ended properly and called the tool
}

// These constants bound the data of a group in memory.
const (
	maxTools = 300     // an agent that calls more tools has made names up
	maxSets  = 2000    // combinations of tools
	maxWhole = 20_000  // bytes of a prompt
	maxTexts = 8 << 20 // bytes of the prompts of all groups
	maxHead  = 300     // bytes of the beginning of a prompt
	maxText  = 1000    // bytes of any other text
)

// agreed is a text that the runs of a group share, unless they differ. A run whose log lacks the text counts as a run with "".
type agreed struct {
	text    string
	isSet   bool
	differs bool
}

func (a *agreed) add(text string) {
	if a.isSet && text != a.text {
		a.differs = true
	}
	a.text, a.isSet = text, true
}

// value returns the text; "" if the runs differ.
func (a *agreed) value() string {
	if a.differs {
		return ""
	}
	return a.text
}

// addTexts adds the model, the prompts and the other texts of a run that are not redacted yet.
func (g *Group) addTexts(run *Run) {
	g.time, g.File = max(g.time, run.Time), cmp.Or(g.File, g.redactor.Text(run.Pos.File))
	if !slices.Contains(g.formats, run.Format) {
		g.formats = append(g.formats, run.Format)
		slices.Sort(g.formats)
	}
	g.model.add(run.Model)
	g.prompt.add(hashOf(strings.TrimSpace(run.Prompt)))
	if run.Error == "" {
		g.provider.add(run.Provider)
		g.providerModel.add(run.ProviderModel)
		g.system.add(hashOf(strings.TrimSpace(run.System)))
		g.addOffered(run)
	}
}

// addOffered adds the tools that a run was offered. A log has the definition of a deferred tool only if a search returned it.
func (g *Group) addOffered(run *Run) {
	g.deferred = trace.UnionOf(g.deferred, run.Deferred)
	hasTooMany := len(g.deferred) == 0 && len(run.Deferred) > 0 // see UnionOf
	if hasTooMany {
		g.offered.differs = true
	}
	hash := ""
	if run.Catalog != nil {
		hash = run.Catalog.SHA256()
	}
	isNewList := g.offered.isSet && hash != g.offered.text
	if !isNewList || g.offered.differs {
		g.offered.add(hash)
		if g.catalog == nil && run.Catalog != nil {
			g.catalog = run.Catalog.Redacted(g.redactor)
		}
		return
	}
	var redacted *catalog.Catalog
	if run.Catalog != nil {
		redacted = run.Catalog.Redacted(g.redactor)
	}
	merged, ok := trace.MergeOffered(g.catalog, redacted, g.deferred)
	if !ok || merged != nil && catalogSize(merged) > source.MaxCatalog {
		g.offered.differs = true
		return
	}
	g.catalog = merged
}

// addRun adds the calls of a run, and returns its counts of bounded values.
func (g *Group) addRun(run *trace.Run) tally {
	g.Runs++
	ended := run.Error == ""
	if !ended {
		g.Broken++
	}
	out := tally{calls: int32(len(run.Calls)), parts: int32(len(run.Turns) + len(run.Extra.Value().Delegations))}
	var set []rune
	unlisted := map[catalog.Ref]bool{}
	for i := range run.Calls {
		call := &run.Calls[i]
		if search := call.Search(); search != nil {
			out.found += int32(len(search.Tools))
		}
		index := g.countCall(call)
		switch {
		case index < 0:
			unlisted[call.Tool.Ref] = true
		case ended && !slices.Contains(set, rune(index)):
			set = append(set, rune(index))
			g.Tools[index].Runs++
		}
	}
	if ended {
		g.addSet(set)
		g.addTokens(run)
	}
	out.tools = int32(len(unlisted))
	return out
}

// countCall adds a call, and returns the index of its tool; -1 if there are too many tools.
func (g *Group) countCall(call *trace.Call) int {
	g.Calls++
	if call.Tool.Server == trace.BuiltinServer {
		g.Builtin++
	}
	index := g.toolIndex(call.Tool.Ref)
	if index < 0 {
		return index
	}
	g.Tools[index].Calls++
	switch {
	case call.Failed:
		g.Tools[index].Failed++
	case call.Detail != nil && readsLikeError(call.Detail.Result):
		g.Tools[index].Unmarked++
	}
	return index
}

// toolIndex returns the index of a tool in Tools, and adds the tool if needed; -1 if there are too many.
func (g *Group) toolIndex(ref catalog.Ref) int {
	at := slices.IndexFunc(g.Tools, func(u *Use) bool { return u.Ref == ref })
	switch {
	case at >= 0:
		return at
	case len(g.Tools) == maxTools:
		g.More = true
		return -1
	}
	g.Tools = append(g.Tools, &Use{Ref: ref})
	return len(g.Tools) - 1
}

func (g *Group) addSet(set []rune) {
	if g.Sets == nil {
		return
	}
	set = slices.DeleteFunc(set, func(at rune) bool { return g.Tools[at].Server == trace.BuiltinServer })
	slices.Sort(set)
	if g.Sets[string(set)]++; len(g.Sets) > maxSets {
		g.Sets = nil
	}
}

func (g *Group) addTokens(run *trace.Run) {
	tokens := run.Tokens()
	isFirst := g.Runs-g.Broken == 1
	if isFirst {
		g.MaxTokens = tokens
		return
	}
	g.MaxTokens = trace.Count{N: max(g.MaxTokens.N, tokens.N), Known: g.MaxTokens.Known && tokens.Known}
}

// Header returns the header of the group's cassettes.
func (g *Group) Header(version string) trace.Header {
	h := trace.Header{
		Model: g.Model, Provider: g.redactor.Text(g.provider.value()), ProviderModel: g.redactor.Text(g.providerModel.value()),
		Recorder: trace.RecorderOfImport(version, g.formats), RecordedAt: g.time,
		PromptSHA256: g.Prompt.Clean, SystemPromptSHA256: g.System.Clean, Deferred: g.redacted(g.deferred),
	}
	if g.catalog != nil && !g.offered.differs {
		h.Recorded, h.CatalogSHA256 = g.catalog, g.catalog.SHA256()
	}
	return h
}

// Offers reports whether the runs were offered a tool. It is false only if the log lists the tools of the tool's server.
func (g *Group) Offers(ref catalog.Ref) bool {
	c := g.Catalog()
	if c == nil || slices.ContainsFunc(g.deferred, ref.Matches) {
		return true
	}
	if _, listed := c.Lookup(ref); listed {
		return true
	}
	return !slices.ContainsFunc(c.Tools, func(t *catalog.Tool) bool { return t.Server == ref.Server })
}

func (g *Group) redacted(refs []catalog.Ref) []catalog.Ref {
	out := slices.Clone(refs)
	for i := range out {
		out[i].Server, out[i].Name = g.redactor.Text(out[i].Server), g.redactor.Text(out[i].Name)
	}
	return out
}

// finish determines the values that the runs have in common. before is a finished group, or nil.
func (g *Group) finish(before *Group) {
	g.Model = g.redactor.Text(g.model.value())
	if g.prompt.differs {
		g.Prompt = PromptText{Head: g.Prompt.Head}
	}
	if g.system.differs {
		g.System = PromptText{}
	}
	for _, one := range []struct {
		a    agreed
		what string
	}{
		{g.model, "the model, in which the runs differ"},
		{g.prompt, "the prompt, in which the runs differ"},
		{g.system, "the system prompt, in which the runs differ"},
		{g.offered, "the tools that the runs were offered, in which they differ"},
	} {
		if one.a.differs {
			g.Differs = append(g.Differs, one.what)
		}
	}
	g.dropLongTexts()
	if !g.offersSameAs(before) && !g.canStoreOffered() {
		g.catalog = nil
		if g.deferred != nil {
			g.deferred = []catalog.Ref{}
		}
		g.Differs = append(g.Differs, "the tools that the runs were offered, which a cassette cannot hold")
	}
}

func (g *Group) dropLongTexts() {
	for _, one := range []struct {
		a    *agreed
		what string
	}{
		{&g.model, "the model"}, {&g.provider, "the provider"}, {&g.providerModel, "the provider's name of the model"},
	} {
		h := trace.Header{Model: g.redactor.Text(one.a.value())} // the bound is the same for all three
		if h.Check() != nil {
			*one.a = agreed{}
			g.Differs = append(g.Differs, one.what+", whose name is too long for a cassette")
		}
	}
	g.Model = g.redactor.Text(g.model.value())
}

// offersSameAs reports whether the runs were offered the same tools as the runs of the earlier group before. If so, a cassette can
// contain them. Agents mostly have the same tools in all sessions.
func (g *Group) offersSameAs(before *Group) bool {
	if before == nil {
		return false
	}
	own, had := g.Catalog(), before.Catalog()
	isSame := own == nil && had == nil || own != nil && had != nil && slices.Equal(own.All(), had.All())
	return isSame && slices.Equal(g.redacted(g.deferred), before.redacted(before.deferred))
}

// canStoreOffered reports whether the header of a cassette can contain the tools that the runs were offered. It does not try a
// list that is far too large, because deep indentation can take gigabytes.
func (g *Group) canStoreOffered() bool {
	h := trace.Header{Recorded: g.Catalog(), Deferred: g.redacted(g.deferred)}
	return catalogSize(h.Recorded)+refsSize(h.Deferred) <= source.MaxCatalog && h.Check() == nil
}

// catalogSize returns the estimated size of a catalog in a cassette, in bytes; 0 for nil.
func catalogSize(c *catalog.Catalog) int {
	if c == nil {
		return 0
	}
	return lists.Sum(c.All(), func(t *catalog.Tool) int { return indentedSize(t.Raw) })
}

// refsSize returns the maximum size of names in a cassette, in bytes.
func refsSize(refs []catalog.Ref) int {
	const overhead, escaped = 100, 6 // keys and indentation of each name; size of an escaped byte
	return lists.Sum(refs, func(ref catalog.Ref) int { return overhead + escaped*(len(ref.Server)+len(ref.Name)) })
}

func cut(text string, most int) string {
	if len(text) <= most {
		return text
	}
	return strings.ToValidUTF8(text[:most], "")
}

// promptText returns a prompt in the form that a group keeps. kept counts the bytes that all groups keep.
func (g *Group) promptText(text string, kept *int) PromptText {
	if text = strings.TrimSpace(text); text == "" {
		return PromptText{}
	}
	clean := strings.ToValidUTF8(g.redactor.Text(text), "\uFFFD")
	out := PromptText{Bytes: len(text), SHA256: hashOf(text), Clean: hashOf(clean), Head: strings.Join(strings.Fields(cut(clean, maxHead)), " ")}
	if len(clean) <= maxWhole && *kept+len(clean) <= maxTexts {
		*kept += len(clean)
		out.Whole = clean
	}
	return out
}

// ID returns a short name of the group, derived from the values of its keys.
func (g *Group) ID() string { return fmt.Sprintf("%x", g.key[:5]) }
