package report

// Bounds of the timelines of a case, so that a report of many runs stays small. Runs beyond them have only rows.
const (
	MaxTimelines     = 20
	MaxTimelineCalls = 100 // of one timeline
	MaxCaseCalls     = 500 // calls in all timelines of a case
)

// Timeline is the list of calls of those runs of a case that made the same calls in the same order.
type Timeline struct {
	Runs     []int          `json:"runs"`
	MoreRuns int            `json:"more_runs,omitzero"` // number of further runs with these calls
	Calls    []TimelineCall `json:"calls"`              // in order, the first MaxTimelineCalls of them
	More     int            `json:"more,omitzero"`      // number of calls that followed
}

// TimelineCall is one call of a timeline.
type TimelineCall struct {
	Tool          string   `json:"tool"`                    // qualified id
	Arguments     []string `json:"arguments,omitempty"`     // the names of the first few, in order
	MoreArguments int      `json:"more_arguments,omitzero"` // how many follow
	Failed        bool     `json:"failed,omitzero"`
	Agent         Optional `json:"agent,omitzero"` // the sub-agent that made the call; "" for the main agent

	// MS and MostMS are the durations of the call in the quickest and in the slowest of the runs, in milliseconds; nil if no run has them.
	MS     *int64 `json:"ms,omitzero"`
	MostMS *int64 `json:"most_ms,omitzero"`
}
