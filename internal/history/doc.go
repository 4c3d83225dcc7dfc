// Package history evaluates the commits of a repository, each as a check of the commit would, and finds the figures that moved.
// [Read] walks through the history and returns a [trend.History]: the verdicts and figures of each commit that changes a file
// which a suite or a catalog reads.
//
// Nothing is evaluated twice. While a case or a catalog is evaluated, [watched] records which files were opened and listed. The
// result is kept, and returned for every other commit in which these files are the same.
package history
