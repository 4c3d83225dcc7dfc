// Package baseline finds the base of a change: the base commit, its files, and the results of the gates for them.
//
// [Open] finds the git repository of a folder, [Repository.Find] returns the base commit, [Repository.Files] returns
// its files as an fs.FS without checking anything out, and [Evaluate] checks the suites in them like those of the
// workspace. [Read] reads a report that was saved earlier, which makes all other steps unnecessary.
//
// A commit's files need not come from git: [NewTree] makes the same fs.FS of any list of entries and a function that
// fetches content. If reading fails for a reason outside of the files (no git, a shallow clone, a failed fetch), the
// error is an [*Unreadable], so that the caller can try another way to the same commit.
package baseline
