// Package git reads the history of a git repository from its files, without the git program.
//
// [Find] finds the repository of a folder, [Repository.Objects] opens what it holds: [Objects.Resolve] names the commit of a
// revision, [Objects.MergeBase] the commit where two branches parted, [Objects.List] the files of a commit, and [Objects.Open] the
// content of one.
//
// Nothing of the repository's configuration is obeyed but its format, no hook and no filter runs, nothing is written or fetched,
// and replaced objects and grafts are ignored: whoever owns the repository decides what its commits are, and nothing else. So it
// does not matter who owns it.
//
// Objects may be damaged or made to cost much. Content past a few megabytes is never held in memory; chains of deltas, links of
// references, alternates, listings and walks through the history have bounds, each with its reason.
package git
