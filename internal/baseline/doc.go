// Package baseline finds what a change is compared with: which commit is its base, the files of that commit, and what
// the gates say about them.
//
// [Open] finds the git repository of a folder, [Repository.Find] names the base commit, [Repository.Files] gives its
// files as an fs.FS without checking anything out, and [Evaluate] checks the suites in them as it would those of the
// workspace. [Read] reads a report that was saved earlier, which stands in for all of this.
//
// A commit's files need not come from git: [NewTree] makes the same fs.FS of any list of entries and a function that
// fetches content. Whatever cannot be read for reasons that lie outside of the files (no git, a shallow clone, a fetch
// that failed) is an [*Unreadable], so that the caller can try another way to the same commit.
package baseline
