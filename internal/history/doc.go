// Package history evaluates the commits of a repository as a check of each would, and says which figures moved.
//
// [Read] walks through the history and returns a [History]: for each commit that changes a file which a suite or a catalog reads, the
// verdicts and figures of that commit. Nothing is evaluated twice: what is found is kept by the files that were opened and listed while
// it was found ([watched]), and returned for every commit in which these are the same.
package history
