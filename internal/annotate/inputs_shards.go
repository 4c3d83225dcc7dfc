package annotate

import (
	"fmt"

	"github.com/org/mcp-gates/internal/shard"
)

// checkShards reports inputs that exclude each other, and disables publishing for a shard, because only the merged report is
// published.
func (r *inputReader) checkShards(in *Inputs) {
	switch {
	case in.Merge != nil && in.Shard != nil:
		r.addMistake("merge", `empty where "shard" is given`, "one job checks a shard, and another one merges the reports of all")
	case in.Merge != nil && in.Mode != Replay:
		r.addMistake("mode", `"replay" where "merge" is given`, "the shards have made the runs")
	case in.ShardBy != "" && in.Shard == nil:
		r.addMistake("shard-by", `empty without "shard"`, fmt.Sprintf("it is %q", clip(in.ShardBy, maxQuoted)))
	}
	if in.Shard != nil {
		in.CheckName, in.Comment, in.Annotations, in.Summary = "", CommentOff, AnnotateNone, false
	}
}

// shard reads a value of the form I/N. It returns nil if the input is empty.
func (r *inputReader) shard(name string) *shard.Division {
	value := r.valueOrDefault(name)
	if value == "" {
		return nil
	}
	d, err := shard.Parse(value)
	if err != nil {
		r.mistakes = append(r.mistakes, fmt.Errorf("input %q %w", name, err))
	}
	return d
}

// optionalPath reads a path. It returns "" if the input is empty.
func (r *inputReader) optionalPath(name string) string {
	if r.valueOrDefault(name) == "" {
		return ""
	}
	return r.path(name)
}
