package report

// These constants bound the timelines of a case, so that a report of many runs stays small. Further runs have only rows.
const (
	MaxTimelines     = 20
	MaxTimelineCalls = 100 // calls of one timeline
	MaxCaseCalls     = 500 // calls in all timelines of a case
)

// Timeline has the calls of all runs of a case that made the same calls in the same order.
type Timeline struct {
	Runs     []int          `json:"runs"`
	MoreRuns int            `json:"more_runs,omitzero"` // number of further runs with these calls
	Calls    []TimelineCall `json:"calls"`              // the first MaxTimelineCalls calls, in order
	More     int            `json:"more,omitzero"`      // number of calls that followed
}

// TimelineCall is one call of a timeline.
type TimelineCall struct {
	Tool          string   `json:"tool"`                    // qualified id
	Arguments     []string `json:"arguments,omitempty"`     // names of the first few arguments, in order
	MoreArguments int      `json:"more_arguments,omitzero"` // number of further arguments
	Failed        bool     `json:"failed,omitzero"`
	Agent         Optional `json:"agent,omitzero"` // the sub-agent that made the call; "" for the main agent

	// MS and MostMS are the shortest and the longest duration of the call over the runs, in milliseconds; nil if no run has a
	// duration.
	MS     *int64 `json:"ms,omitzero"`
	MostMS *int64 `json:"most_ms,omitzero"`
}
