// Package git reads the history of a git repository from its files, without the git program.
//
// [Find] finds the repository of a folder, and [Repository.Objects] opens its objects: [Objects.Resolve] returns the
// commit of a revision, [Objects.MergeBase] the commit at which two branches parted, [Objects.List] the files of a
// commit, and [Objects.Open] the content of a file.
//
// Of the repository's configuration, only the format of objects is obeyed. Hooks and filters do not run, nothing is
// written or fetched, and grafts and replacements of objects are ignored. The owner of the repository decides only about
// its commits, so it does not matter who the owner is.
//
// Objects may be damaged or malicious. Content of more than a few megabytes is never held in memory; chains of deltas,
// links of references, alternates, listings and walks through the history have bounds, each with its reason.
package git
