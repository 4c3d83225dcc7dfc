package logs

import (
	"cmp"
	"maps"
	"strings"

	"github.com/org/mcp-gates/internal/source"
)

// The keys of open sessions begin with the view that the session belongs to.
const (
	fileView   = "f"
	outputView = "o"
)

// outOfOutputs is the reason for calls that only the output of a session has.
const outOfOutputs = "calls of an output that the session file lacks"

// Output returns the open session with a key, for the agent's own output if the agent also writes a session file. If the input
// has both views of a session, messages, calls and results come from the file. The output adds what the file lacks, such as the
// end of the run and its cost.
func (s *Sink) Output(key string, pos source.Pos) *Session { return s.session(outputView+key, pos) }

func (s *Sink) pairOutputs() {
	for _, one := range s.order {
		key, isOutput := strings.CutPrefix(one.key, outputView)
		if file := s.open[fileView+key]; isOutput && file != nil {
			file.output, one.isPairedOutput = one, true
		}
	}
}

// Name sets the name of a sub-agent that events refer to by an id. The name can be another id that has a name. The first name
// counts.
func (s *Session) Name(id, name string) {
	if _, known := s.names[id]; known || id == "" || name == "" {
		return
	}
	if s.names == nil {
		s.names = map[string]string{}
	}
	s.names[id] = name
	s.totalBytes += len(id) + len(name)
}

func (s *Session) agentName(agent string) string {
	const longest = 4 // an id for a file, one for the call that started the sub-agent, a name
	for range longest {
		name, ok := s.names[agent]
		if !ok {
			break
		}
		agent = name
	}
	return agent
}

func (s *Session) rename(events []event) []event {
	if len(s.names) == 0 {
		return events
	}
	for i := range events {
		e := &events[i]
		e.Message.Agent, e.Call.Agent = s.agentName(e.Message.Agent), s.agentName(e.Call.Agent)
		e.FromTo = [2]string{s.agentName(e.FromTo[0]), s.agentName(e.FromTo[1])}
	}
	return events
}

// mergeOutput completes the session of a file with data of the agent's output, and returns the session's events: those of the
// file, or those of the output if the file has none.
func (in *importing) mergeOutput(s *Session, events []event) ([]event, error) {
	if s.output == nil {
		return events, nil
	}
	inOutput, err := in.spill.events(s.output)
	if err != nil {
		return nil, err
	}
	s.fillFrom(s.output)
	if len(events) == 0 {
		return s.output.rename(s.output.arrange(inOutput)), nil
	}
	inFile := map[string]bool{} // ids of calls
	for i := range events {
		inFile[events[i].Call.ID] = true
	}
	for i := range inOutput {
		if id := inOutput[i].Call.ID; inOutput[i].Kind == asked && !inFile[id] {
			in.account.LeaveOut(outOfOutputs)
		}
	}
	return events, nil
}

func (s *Session) fillFrom(from *Session) {
	s.ID, s.Model, s.Provider = cmp.Or(s.ID, from.ID), cmp.Or(s.Model, from.Model), cmp.Or(s.Provider, from.Provider)
	s.ProviderModel, s.System, s.Cwd = cmp.Or(s.ProviderModel, from.ProviderModel), cmp.Or(s.System, from.System), cmp.Or(s.Cwd, from.Cwd)
	s.Time = cmp.Or(s.Time, from.Time)
	s.StopReason, s.Error = cmp.Or(s.StopReason, from.StopReason), cmp.Or(s.Error, from.Error)
	s.Ended = s.Ended || from.Ended
	if s.Final == nil {
		s.Final = from.Final
	}
	s.Duration = cmp.Or(s.Duration, from.Duration)
	if s.tools == nil {
		s.tools, s.listsDeferred = from.tools, from.listsDeferred
	}
	s.defersSome = s.defersSome || from.defersSome
	s.offersSearch = s.offersSearch || from.offersSearch
	s.whole = cmp.Or(s.whole, from.whole)
	metadata := maps.Clone(from.Metadata)
	if metadata == nil {
		return
	}
	maps.Copy(metadata, s.Metadata)
	s.Metadata = metadata
}
